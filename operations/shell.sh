# What a shell of root's needs for the commands of the operations guide (docs/production.md), in the checkout:
#
#     cd /opt/offers && . operations/shell.sh
#
# Places are the guide's, unless they are set before. What is of a release is found by the link each time: a shell stays in the
# folder that the link led to when it went there.

PROGRAM=${PROGRAM:-/opt/offers}
CONFIG=${CONFIG:-/etc/offers}
BACKUPS=${BACKUPS:-/var/backups/offers}
UNITS=${UNITS:-/etc/systemd/system}
UPSTREAM=${UPSTREAM:-/etc/nginx/offers.upstream}
ASIDE_PORT=${ASIDE_PORT:-8788}
# Some shells have the machine's name there; the service has it of its settings alone.
unset HOST
# The service's own settings, as soon as there are any: BASE_URL, DATA_DIR, PORT and the others.
if [ -e "$CONFIG/env" ]; then
    set -a
    . "$CONFIG/env"
    set +a
    ORIGIN=${BASE_URL:-$ORIGIN}
fi
DATA_DIR=${DATA_DIR:-/var/lib/offers}
PORT=${PORT:-8787}
ORIGIN=${ORIGIN:-https://offers.example}
# Where the service is reached from this machine.
case ${HOST:-} in
    "" | 0.0.0.0 | ::) LISTENS=127.0.0.1 ;;
    *:*) LISTENS="[$HOST]" ;;
    *) LISTENS=$HOST ;;
esac

# Runs a program as the user that the service runs as: what it writes is the service's, and nobody else may read it.
as_offers() { (umask 077 && exec runuser -u offers -- "$@"); }

# The operator's command line.
admin() { as_offers "$PROGRAM/node_modules/.bin/node" "$PROGRAM/server/admin/main.ts" "$@"; }

# One member of the JSON on standard input.
field() { "$PROGRAM/node_modules/.bin/node" -pe "JSON.parse(fs.readFileSync(0)).$1"; }

# What the log says was wrong, at last: errors, why the service did not start, and why systemd could not start it; of the last day,
# or since a moment that journalctl understands. Without systemd's journal nothing.
errors() {
    journalctl -u offers -u offers-aside -o cat --no-pager --since="${1:--1day}" 2> /dev/null |
        sed -nE '/^Cannot start: |^\{"level":[56]0,|\.service: Failed (at|to) /p' | tail -n 20
}

# Waits until the service says that it is ready, for as long as that takes, and tells every ten seconds what it is that keeps it.
ready() {
    began=$(date +%s)
    told=$began
    until curl -sf "http://$LISTENS:${1:-$PORT}/readyz" --max-time 5; do
        sleep 0.2
        now=$(date +%s)
        [ $((now - told)) -ge 10 ] || continue
        told=$now
        echo "not ready for $((now - began)) s, /readyz:" \
            "$(curl -s -w ' %{http_code}' --max-time 5 "http://$LISTENS:${1:-$PORT}/readyz")" >&2
        errors "@$began" | tail -n 2 >&2 || true
    done
    echo
}

# Has nginx call the process at this port. Caddy finds out by itself, within three seconds.
front() {
    if [ -e "$UPSTREAM" ]; then
        echo "server $LISTENS:$1;" > "$UPSTREAM"
        systemctl reload nginx
    else
        sleep 3
    fi
}

# Copies the units of this release, and makes that of a second process, whose settings are the first one's but for its ports.
# They read and write where PROGRAM, CONFIG, DATA_DIR and BACKUPS are, wherever that is.
units() {
    cp "$PROGRAM/operations/offers-backup.timer" "$UNITS/"
    for name in offers offers-backup; do
        sed "s|/opt/offers|$PROGRAM|g; s|/etc/offers|$CONFIG|g; s|/var/backups/offers|$BACKUPS|g" \
            "$PROGRAM/operations/$name.service" > "$UNITS/$name.service"
        if [ "$DATA_DIR" != /var/lib/offers ]; then
            sed -i "/^StateDirectory=/a ReadWritePaths=$DATA_DIR" "$UNITS/$name.service"
        fi
    done
    sed "/^EnvironmentFile=/a EnvironmentFile=$CONFIG/aside" "$UNITS/offers.service" > "$UNITS/offers-aside.service"
    printf 'PORT=%s\nMETRICS_PORT=\n' "$ASIDE_PORT" > "$CONFIG/aside"
    systemctl daemon-reload
}

# Starts the service anew without a lost call: a second process takes the calls meanwhile.
change_over() {
    systemctl start offers-aside
    ready "$ASIDE_PORT"
    front "$ASIDE_PORT"
    systemctl restart offers
    ready
    front "$PORT"
    systemctl stop offers-aside
}

# Puts a backup in the place of the database and of its two logs: the newest one, unless another is named. What it replaces gets a
# folder of its own, and nothing is stopped or moved before the copy is there. DATA_DIR and BACKUPS are the service's: root itself,
# writing in the one, or reading what it finds in the other, would follow whatever link the service has made. This shell may stand
# where the service's user may not go, as in /root.
restore() {
    copy=${1:-$(ls -t "$BACKUPS"/*.sqlite | head -n 1)}
    replaced=$DATA_DIR/replaced-$(date -u +%s)
    echo "$copy"
    if [ -n "${1:-}" ]; then from=-; else from=$copy; fi
    as_offers sh -c 'cat "$1" > "$2" || { rm -f "$2"; exit 1; }' sh "$from" "$DATA_DIR/restored.partial" < "${1:-/dev/null}" &&
        as_offers mkdir "$replaced" &&
        systemctl stop offers offers-aside &&
        as_offers sh -c 'cd "$1" && find . -maxdepth 1 -name "offers.sqlite*" -exec mv -t "$2" {} +' sh "$DATA_DIR" "$replaced" &&
        as_offers mv -T "$DATA_DIR/restored.partial" "$DATA_DIR/offers.sqlite" &&
        systemctl start offers && ready && front "$PORT" && admin recount && admin audit
}
