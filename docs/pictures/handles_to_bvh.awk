# Writes a skeleton and one bent pose of it as BVH: awk -v name=FILE -v box="HIGH x,y,z,LOW x,y,z" -f handles_to_bvh.awk TABLE
# The table is that of biharmonic_messy_handles.txt. Frame 0 is at rest, frame 1 bent.
$1 == name {
  n++
  joint[n] = $2; parent[n] = $3
  for (k = 1; k <= 3; k++) { place[n, k] = $(3 + k); bend[n, k] = $(6 + k) }
}
function at(i, k) { return side[k + 3] + place[i, k] * (side[k] - side[k + 3]) }
function offset(i, p) {
  return sprintf("OFFSET %.6g %.6g %.6g", at(i, 1) - (p ? at(p, 1) : 0), at(i, 2) - (p ? at(p, 2) : 0), at(i, 3) - (p ? at(p, 3) : 0))
}
function write(i, p, depth,    j, pad) {
  pad = sprintf("%" 2 * depth "s", "")
  if (joint[i] ~ /_end$/) { printf "%sEnd Site\n%s{\n%s  %s\n%s}\n", pad, pad, pad, offset(i, p), pad; return }
  printf "%s%s %s\n%s{\n%s  %s\n", pad, p ? "JOINT" : "ROOT", joint[i], pad, pad, offset(i, p)
  if (p) printf "%s  CHANNELS 3 Zrotation Yrotation Xrotation\n", pad
  else printf "%s  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n", pad
  if (!p) { rest = at(i, 1) " " at(i, 2) " " at(i, 3); bent = rest }
  rest = rest " 0 0 0"; bent = bent " " bend[i, 3] " " bend[i, 2] " " bend[i, 1]
  for (j = 1; j <= n; j++) if (parent[j] == joint[i]) write(j, i, depth + 1)
  printf "%s}\n", pad
}
END {
  split(box, side, ",")
  print "HIERARCHY"
  write(1, 0, 0)
  printf "MOTION\nFrames: 2\nFrame Time: 1\n%s\n%s\n", rest, bent
}
