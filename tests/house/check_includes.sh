#!/usr/bin/env bash
# Fails when a room of sinew/ includes a room that does not stand before it (docs/architecture.md).
set -u
declare -A before=(
  [base]="base"
  [mesh]="base mesh"
  [rig]="base mesh rig"
  [asset]="base mesh rig asset"
  [builtin]="base mesh rig asset builtin"
  [weights]="base mesh rig asset weights"
  [flesh]="base mesh rig asset flesh"
  [neural]="base mesh rig asset weights neural"
  [lessons]="base mesh rig asset neural lessons"
  [fit]="base mesh rig asset neural fit"
  [evaluate]="base mesh rig asset evaluate"
  [draw]="base mesh rig asset draw"
  [correctives]="base mesh rig asset correctives"
)
failed=0
for folder in sinew/*/; do
  room=$(basename "$folder")
  allowed=${before[$room]:-}
  if [ -z "$allowed" ]; then
    echo "sinew/$room is not a known room: add it here and to docs/architecture.md"
    failed=1
    continue
  fi
  while IFS=: read -r file line text; do
    target=$(sed -E 's/.*"(sinew\/|)([a-z_]+)\/.*/\2/' <<<"$text")
    case " $allowed " in
      *" $target "*) ;;
      *) echo "$file:$line: $room may not include $target"; failed=1 ;;
    esac
  done < <(grep -rnE '#include "' "$folder" --include='*.h' --include='*.cpp')
done
while IFS=: read -r file line text; do
  echo "$file:$line: the library may not include apps or tests"
  failed=1
done < <(grep -rnE '#include "(apps|tests)/' sinew)
[ "$failed" = 0 ] && echo "every include respects the order of the rooms"
exit "$failed"
