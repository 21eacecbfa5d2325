#!/bin/sh
# Builds the image with docker, podman or buildah, whichever is installed, or with the program named in CONTAINER:
#   sh deploy/build.sh [OPTION OF THE BUILDER...]
set -eu
cd "$(dirname "$0")/.."
builder=${CONTAINER:-}
for name in docker podman buildah; do
  [ -n "$builder" ] || ! command -v "$name" >/dev/null 2>&1 || builder=$name
done
[ -n "$builder" ] || { echo "docker, podman and buildah are missing: install one, or name another program in CONTAINER" >&2; exit 3; }
case $builder in
  *podman | *buildah) set -- --format docker "$@" ;; # their default format has no health check
esac
exec "$builder" build --file deploy/Dockerfile --tag citewell "$@" .
