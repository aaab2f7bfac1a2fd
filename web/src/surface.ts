// The surface as a brush feels it: which vertices lie near a place, walking along edges and never through the air.

export interface Touch {
  vertex: number;
  distance: number; // over the brush's radius, 0 … 1
}

const hashFactor = 0x9e3779b1;

// Vertices at the same place, as along a seam, count as one.
function weld(positions: Float32Array): { point: Uint32Array; count: number } {
  const vertices = positions.length / 3;
  const bits = new Uint32Array(positions.buffer, positions.byteOffset, positions.length);
  let size = 1;
  while (size < vertices * 2) size *= 2;
  const table = new Int32Array(size).fill(-1);
  const point = new Uint32Array(vertices);
  let count = 0;
  for (let v = 0; v < vertices; ++v) {
    const [x, y, z] = [bits[v * 3], bits[v * 3 + 1], bits[v * 3 + 2]];
    let slot = (Math.imul(Math.imul(Math.imul(x, hashFactor) ^ y, hashFactor) ^ z, hashFactor) >>> 7) & (size - 1);
    for (; table[slot] >= 0; slot = (slot + 1) & (size - 1)) {
      const other = table[slot] * 3;
      if (bits[other] === x && bits[other + 1] === y && bits[other + 2] === z) break;
    }
    if (table[slot] < 0) {
      table[slot] = v;
      point[v] = count++;
    } else {
      point[v] = point[table[slot]];
    }
  }
  return { point, count };
}

// For every key the values that belong to it, one after the other.
class Rows {
  private readonly first: Uint32Array;
  private readonly values: Uint32Array;

  constructor(count: number, keys: ArrayLike<number>, values: ArrayLike<number>) {
    this.first = new Uint32Array(count + 1);
    for (let i = 0; i < keys.length; ++i) ++this.first[keys[i] + 1];
    for (let i = 0; i < count; ++i) this.first[i + 1] += this.first[i];
    const next = this.first.slice();
    this.values = new Uint32Array(keys.length);
    for (let i = 0; i < keys.length; ++i) this.values[next[keys[i]]++] = values[i];
  }

  row(key: number): Uint32Array {
    return this.values.subarray(this.first[key], this.first[key + 1]);
  }
}

export class Surface {
  private readonly point: Uint32Array; // of each vertex
  private readonly vertices: Rows; // of each point
  private readonly neighbours: Rows; // of each point, some more than once
  private readonly seen: Uint32Array;
  private round = 0;

  constructor(
    private readonly positions: Float32Array,
    triangles: Uint32Array,
  ) {
    const { point, count } = weld(positions);
    this.point = point;
    const all = Uint32Array.from(point.keys());
    this.vertices = new Rows(count, point, all);
    const keys = new Uint32Array(triangles.length);
    const values = new Uint32Array(triangles.length);
    for (let i = 0; i < triangles.length; ++i) {
      const corner = i % 3;
      keys[i] = point[triangles[i]];
      values[i] = point[triangles[i - corner + ((corner + 1) % 3)]];
    }
    const both = (a: Uint32Array, b: Uint32Array) => {
      const joined = new Uint32Array(a.length * 2);
      joined.set(a);
      joined.set(b, a.length);
      return joined;
    };
    this.neighbours = new Rows(count, both(keys, values), both(values, keys));
    this.seen = new Uint32Array(count);
  }

  // Every vertex within `radius` of `place` that is connected to the nearest one by vertices within it.
  touched(place: ArrayLike<number>, radius: number): Touch[] {
    const { positions } = this;
    const squared = (vertex: number) =>
      (positions[vertex * 3] - place[0]) ** 2 +
      (positions[vertex * 3 + 1] - place[1]) ** 2 +
      (positions[vertex * 3 + 2] - place[2]) ** 2;
    let nearest = 0;
    for (let v = 1, best = squared(0); v < this.point.length; ++v) {
      const distance = squared(v);
      if (distance < best) [best, nearest] = [distance, v];
    }
    ++this.round;
    const found: Touch[] = [];
    const queue = [this.point[nearest]];
    this.seen[queue[0]] = this.round;
    for (let point = queue.pop(); point !== undefined; point = queue.pop()) {
      const copies = this.vertices.row(point);
      const distance = Math.sqrt(squared(copies[0])) / radius;
      if (distance >= 1) continue;
      for (const vertex of copies) found.push({ vertex, distance });
      for (const next of this.neighbours.row(point)) {
        if (this.seen[next] === this.round) continue;
        this.seen[next] = this.round;
        queue.push(next);
      }
    }
    return found;
  }
}
