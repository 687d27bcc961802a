#!/bin/sh
# gdb.sh DIR: puts a gdb that speaks the debug adapter protocol (14 or newer)
# into DIR for the tests; Debian 12 has an older one.
set -eu
dir=$1
version=18.1.0.post1
if [ "$(cat "$dir/.version" 2>/dev/null)" = "$version" ]; then
	exit 0
fi
rm -rf "$dir"
mkdir -p "$dir/bin"
python3 -m pip install --quiet --disable-pip-version-check --no-deps --target "$dir/lib" "gdb-for-pwndbg==$version"
cat >"$dir/bin/gdb" <<'END'
#!/bin/sh
lib=$(dirname "$(dirname "$(readlink -f "$0")")")/lib
PYTHONNOUSERSITE=1 PYTHONPATH=$lib exec "$lib/gdb_for_pwndbg/_vendor/bin/gdb" --data-directory "$lib/gdb_for_pwndbg/_vendor/share/gdb" "$@"
END
chmod +x "$dir/bin/gdb"
"$dir/bin/gdb" --version | head -1
echo "$version" >"$dir/.version"
