# Writes a tuning fork as OBJ: two prongs along x, joined at x = 0, with a narrow gap between them: awk -f fork.awk
# A grid of blocks, some of them left out; faces between a block and none become triangles.
function filled(i, j, k) { return i >= 0 && i < nx && j >= 0 && j < ny && k >= 0 && k < nz && (i < 4 || j != middle) }
function vertex(i, j, k) {
  if (!((i, j, k) in number)) {
    number[i, j, k] = ++count
    printf "v %.5f %.5f %.5f\n", 2 * i / nx, y[j], 0.25 * k / nz
  }
  return number[i, j, k]
}
function face(a, b, c, d) { faces = faces sprintf("f %d %d %d\nf %d %d %d\n", a, b, c, a, c, d) }
BEGIN {
  nx = 48; ny = 9; nz = 4; middle = 4; thickness = 0.25; gap = 0.02
  for (j = 0; j <= 4; j++) { y[j] = -gap / 2 - thickness * (4 - j) / 4; y[9 - j] = -y[j] }
  for (i = 0; i < nx; i++) for (j = 0; j < ny; j++) for (k = 0; k < nz; k++) {
    if (!filled(i, j, k)) continue
    if (!filled(i - 1, j, k)) face(vertex(i, j, k), vertex(i, j, k + 1), vertex(i, j + 1, k + 1), vertex(i, j + 1, k))
    if (!filled(i + 1, j, k)) face(vertex(i + 1, j, k), vertex(i + 1, j + 1, k), vertex(i + 1, j + 1, k + 1), vertex(i + 1, j, k + 1))
    if (!filled(i, j - 1, k)) face(vertex(i, j, k), vertex(i + 1, j, k), vertex(i + 1, j, k + 1), vertex(i, j, k + 1))
    if (!filled(i, j + 1, k)) face(vertex(i, j + 1, k), vertex(i, j + 1, k + 1), vertex(i + 1, j + 1, k + 1), vertex(i + 1, j + 1, k))
    if (!filled(i, j, k - 1)) face(vertex(i, j, k), vertex(i, j + 1, k), vertex(i + 1, j + 1, k), vertex(i + 1, j, k))
    if (!filled(i, j, k + 1)) face(vertex(i, j, k + 1), vertex(i + 1, j, k + 1), vertex(i + 1, j + 1, k + 1), vertex(i, j + 1, k + 1))
  }
  printf "%s", faces
}
