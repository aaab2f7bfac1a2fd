# Detaches every triangle of an OBJ file, leaves out a share of them and shakes the corners of the others:
#   awk -v missing=0.3 -v shake=0.002 -f degrade.awk whole.obj > degraded.obj
BEGIN { srand(1) }
/^v / { n++; for (k = 1; k <= 3; k++) place[n, k] = $(k + 1) }
/^f / {
  if (rand() < missing) next
  for (i = 2; i <= 4; i++) {
    split($i, corner, "/")
    out = "v"
    for (k = 1; k <= 3; k++) out = out sprintf(" %.6f", place[corner[1], k] + shake * (2 * rand() - 1))
    print out
  }
  faces++
  print "f", 3 * faces - 2, 3 * faces - 1, 3 * faces
}
