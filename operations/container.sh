# What a shell needs for the commands of the page on containers (docs/container.md), in a checkout of a release:
#
#     . operations/container.sh
#
# Places are the page's, unless they are set before. All but CONFIG are kept in $CONFIG/container, and are those once it is there.

CONFIG=${CONFIG:-/etc/offers}
if [ -e "$CONFIG/container" ]; then . "$CONFIG/container"; fi
ENGINE=${ENGINE:-docker}
BACKUPS=${BACKUPS:-/var/backups/offers}
PORT=${PORT:-8787}
# The name of the container, and of the volume that its data is on.
CONTAINER=${CONTAINER:-offers}
# What else `run` gives each container, such as a port of its own for metrics.
RUN_OPTIONS=${RUN_OPTIONS:-}

# Starts a container of an image.
run() {
    $ENGINE run --detach --name "$CONTAINER" --restart always --stop-timeout 15 \
        --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges \
        --ulimit core=0 \
        --volume "$CONTAINER:/var/lib/offers" --env-file "$CONFIG/image.env" --publish "127.0.0.1:$PORT:8787" \
        $RUN_OPTIONS "$@"
}

# Waits until the service says that it is ready.
ready() { until curl -sf "http://127.0.0.1:$PORT/readyz"; do sleep 0.2; done; echo; }

# The operator's command line.
admin() { $ENGINE exec "$CONTAINER" node server/admin/main.ts "$@"; }

# Copies the database into a file of that name. A copy that does not come out whole takes no other one's place.
back_up() {
    admin backup --to /var/lib/offers/backup.sqlite &&
        (umask 077 && $ENGINE exec "$CONTAINER" cat /var/lib/offers/backup.sqlite > "$BACKUPS/$1.partial") &&
        mv "$BACKUPS/$1.partial" "$BACKUPS/$1"
}
