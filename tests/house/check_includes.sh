#!/usr/bin/env bash
# Fails when a room of sinew/ or bindings/c includes a room that it may not use (sinew/rooms.txt), when a public header includes
# anything but public headers, when rooms and list differ, or when sinew.h misses a public header.
set -u
declare -A may owner
failed=0
complain() { echo "$1"; failed=1; }
while IFS='|' read -r room uses packages headers; do
  room=$(xargs <<<"$room")
  may[$room]=" $room "
  for used in $uses; do
    [ -n "${may[$used]:-}" ] || complain "sinew/rooms.txt: $room uses $used, which does not stand before it"
    may[$room]+="$used ${may[$used]:-} "
  done
  for header in $headers; do
    [ -f "include/sinew/$header" ] || complain "sinew/rooms.txt: there is no include/sinew/$header"
    owner[$header]=$room
  done
done < <(grep '^[a-z]' sinew/rooms.txt)

# check FILE LINE TARGET ROOM: TARGET is what stands between the quotes after "sinew/".
check() {
  local target=${owner[$3]:-}
  [ -n "$target" ] || target=${3%%/*}
  case "${may[$4]}" in
    *" $target "*) ;;
    *) complain "$1:$2: $4 may not include $target" ;;
  esac
}

for folder in sinew/*/ bindings/c/; do
  room=$(basename "$folder")
  [ "$folder" != bindings/c/ ] || room=bindings_c
  [ -n "${may[$room]:-}" ] || { complain "sinew/$room is not in sinew/rooms.txt"; continue; }
  while IFS=: read -r file line text; do
    case $text in
      *'"bindings/c/'*) [ "$room" = bindings_c ] || complain "$file:$line: $room may not include bindings_c" ;;
      *'"sinew/'*) target=${text#*\"sinew/}; check "$file" "$line" "${target%%\"*}" "$room" ;;
      *) complain "$file:$line: include by the whole path, \"sinew/ROOM/FILE\"" ;;
    esac
  done < <(grep -rnE '#include "' "$folder")
done
while IFS=: read -r file line text; do
  header=${file#include/sinew/}
  room=${owner[$header]:-}
  [ -n "$room" ] || { complain "$file belongs to no room of sinew/rooms.txt"; continue; }
  target=${text#*\"sinew/}
  target=${target%%\"*}
  [ -f "include/sinew/$target" ] || complain "$file:$line: a public header may include only public headers"
  check "$file" "$line" "$target" "$room"
done < <(grep -rnE '#include "' include/sinew)
for header in $(cd include/sinew && find . -name '*.h' | sed 's#^\./##'); do
  [ -n "${owner[$header]:-}" ] || complain "include/sinew/$header belongs to no room of sinew/rooms.txt"
  [ "$header" = sinew.h ] || grep -qF "\"sinew/$header\"" include/sinew/sinew.h ||
    complain "include/sinew/sinew.h does not include sinew/$header"
done
[ "$failed" = 0 ] && echo "every include respects the order of the rooms"
exit "$failed"
