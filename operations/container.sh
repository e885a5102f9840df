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

# Puts a copy in the place of the database and of its two logs, and starts a container of an image on it, whatever became of the
# one before. What it replaces gets a folder of its own, and nothing is moved before the copy is there. The image's own node
# does that, as its user.
restore() {
    put='
        process.umask(0o077);
        process.chdir(process.env.DATA_DIR);
        const [partial, replaced] = ["restored.partial", `replaced-${Math.floor(Date.now() / 1000)}`];
        require("stream/promises").pipeline(process.stdin, fs.createWriteStream(partial, { flush: true })).then(() => {
            if (fs.statSync(partial).size !== Number(process.argv[1])) throw new Error("the copy was cut off");
            fs.mkdirSync(replaced);
            for (const name of fs.readdirSync(".").filter((name) => name.startsWith("offers.sqlite")))
                fs.renameSync(name, `${replaced}/${name}`);
            fs.renameSync(partial, "offers.sqlite");
        });'
    echo "$1"
    size=$(wc -c < "$1") &&
        $ENGINE image inspect "$2" > /dev/null &&
        { ! $ENGINE container inspect "$CONTAINER" > /dev/null 2>&1 ||
            { $ENGINE stop "$CONTAINER"; $ENGINE rm --force "$CONTAINER"; }; } &&
        $ENGINE run --rm --interactive --network none --read-only --cap-drop ALL --security-opt no-new-privileges \
            --volume "$CONTAINER:/var/lib/offers" --entrypoint node "$2" --eval "$put" "$size" < "$1" &&
        run "$2" && ready && admin recount && admin audit
}
