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
# How much of the log the engine keeps; Podman goes by the size alone. Empty for a log driver that knows neither.
LOG_OPTIONS=${LOG_OPTIONS---log-opt max-size=100m --log-opt max-file=5}

# Starts a container of an image.
run() {
    # Such a shell leaves the options below in one piece by itself.
    [ -z "${ZSH_VERSION-}" ] || setopt local_options sh_word_split
    $ENGINE run --detach --name "$CONTAINER" --restart always --stop-timeout 15 \
        --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges \
        --ulimit core=0 $LOG_OPTIONS \
        --volume "$CONTAINER:/var/lib/offers" --env-file "$CONFIG/image.env" --publish "127.0.0.1:$PORT:8787" \
        $RUN_OPTIONS "$@"
}

# What the log says was wrong, at last: errors, and why the service did not start; of the last day, or since a moment that the
# engine understands.
errors() {
    $ENGINE logs --since "${1:-24h}" "$CONTAINER" 2>&1 | sed -nE '/^Cannot start: |^\{"level":[56]0,/p' | tail -n 20
}

# Waits until the service says that it is ready, for as long as that takes, and tells every ten seconds what it is that keeps it.
ready() {
    began=$(date +%s)
    told=$began
    until curl -sf "http://127.0.0.1:$PORT/readyz" --max-time 5; do
        sleep 0.2
        now=$(date +%s)
        [ $((now - told)) -ge 10 ] || continue
        told=$now
        echo "not ready for $((now - began)) s, /readyz:" \
            "$(curl -s -w ' %{http_code}' --max-time 5 "http://127.0.0.1:$PORT/readyz")" >&2
        errors "$began" | tail -n 2 >&2 || true
    done
    echo
}

# Runs a program of this machine for the commands on PostgreSQL: what it writes nobody else may read.
as_offers() { (umask 077 && exec "$@"); }

# The operator's command line.
admin() { $ENGINE exec "$CONTAINER" node server/admin/main.ts "$@"; }

# Copies the database into a file of that name. A copy that does not come out whole takes no other one's place, and none stays in
# the volume. By then `admin backup` has noted that it went well, for the alerts and the dashboard: one that cannot be made takes
# that back.
back_up() {
    copied=1
    if admin backup --to /var/lib/offers/backup.sqlite; then
        if (umask 077 && $ENGINE exec "$CONTAINER" cat /var/lib/offers/backup.sqlite > "$BACKUPS/$1.partial") &&
            mv "$BACKUPS/$1.partial" "$BACKUPS/$1"; then
            copied=0
        else
            # The folder is none, so that the run is noted as failed, and its name says by what.
            admin backup --to /the-copy-did-not-leave-the-container/backup.sqlite > /dev/null 2>&1 || :
        fi
    fi
    $ENGINE exec "$CONTAINER" rm -f /var/lib/offers/backup.sqlite && return $copied
}

# Lays a file of this machine where a command within reads it, in memory, and tells where that is:
# `admin geo update --file "$(give FILE)"`. `taken` removes what was given.
give() {
    lay='
        fs.mkdirSync("/tmp/given", { recursive: true });
        require("stream/promises").pipeline(process.stdin, fs.createWriteStream(process.argv[1]));'
    given=/tmp/given/$(basename -- "$1")
    $ENGINE exec --interactive "$CONTAINER" node --eval "$lay" "$given" < "$1" && echo "$given"
}
taken() { $ENGINE exec "$CONTAINER" rm -rf /tmp/given; }

# Runs a program of an image's own node, as its user, on the volume: `on_volume [OPTIONS] IMAGE --eval PROGRAM`.
on_volume() {
    $ENGINE run --rm --interactive --network none --read-only --cap-drop ALL --security-opt no-new-privileges \
        --volume "$CONTAINER:/var/lib/offers" --entrypoint node "$@"
}

# Puts a copy in the place of the database and of its two logs, and starts a container of an image on it, whatever became of the
# one before. What it replaces gets a folder of its own, and nothing is stopped or moved before the copy is there.
restore() {
    copy='
        process.umask(0o077);
        const partial = `${process.env.DATA_DIR}/restored.partial`;
        require("stream/promises").pipeline(process.stdin, fs.createWriteStream(partial, { flush: true })).then(() => {
            if (fs.statSync(partial).size !== Number(process.argv[1])) throw new Error("the copy was cut off");
        }).catch((error) => {
            fs.rmSync(partial, { force: true });
            throw error;
        });'
    put='
        process.umask(0o077);
        process.chdir(process.env.DATA_DIR);
        const replaced = `replaced-${Math.floor(Date.now() / 1000)}`;
        fs.mkdirSync(replaced);
        for (const name of fs.readdirSync(".").filter((name) => name.startsWith("offers.sqlite")))
            fs.renameSync(name, `${replaced}/${name}`);
        fs.renameSync("restored.partial", "offers.sqlite");'
    echo "$1"
    size=$(wc -c < "$1") &&
        $ENGINE image inspect "$2" > /dev/null &&
        on_volume "$2" --eval "$copy" "$size" < "$1" &&
        { ! $ENGINE container inspect "$CONTAINER" > /dev/null 2>&1 ||
            { $ENGINE stop "$CONTAINER"; $ENGINE rm --force "$CONTAINER"; }; } &&
        on_volume "$2" --eval "$put" < /dev/null &&
        run "$2" && ready && admin recount && admin audit
}

# Copies lists of networks and location data of the operator's own from another container's volume: `copy_lists CONTAINER IMAGE`.
copy_lists() {
    # A volume that is not there would be made.
    $ENGINE volume inspect "$1" > /dev/null &&
        on_volume --volume "$1:/former:ro" "$2" --eval '
            for (const name of ["geo", "networks"].filter((name) => fs.existsSync(`/former/${name}`)))
                fs.cpSync(`/former/${name}`, `${process.env.DATA_DIR}/${name}`, { recursive: true });' < /dev/null
}
