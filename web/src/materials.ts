// Materials and textures of the opened file. The server sends the file as a GLB; three.js reads the materials out of it
// and nothing else, because the geometry comes from the packet.
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

interface GlbJson {
  materials?: { name?: string }[];
  [key: string]: unknown;
}

// The same GLB without scenes, so that reading it touches no mesh.
function withoutScenes(glb: ArrayBuffer): { json: GlbJson; glb: ArrayBuffer } {
  const view = new DataView(glb);
  const length = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(new Uint8Array(glb, 20, length))) as GlbJson;
  const text = JSON.stringify({ ...json, scene: 0, scenes: [{}], animations: undefined });
  const bytes = new TextEncoder().encode(text.padEnd(text.length + 3));
  const padded = bytes.subarray(0, bytes.length - (bytes.length % 4));
  const rest = new Uint8Array(glb, 20 + length);
  const out = new Uint8Array(20 + padded.length + rest.length);
  out.set(new Uint8Array(glb, 0, 20));
  out.set(padded, 20);
  out.set(rest, 20 + padded.length);
  const head = new DataView(out.buffer);
  head.setUint32(8, out.length, true);
  head.setUint32(12, padded.length, true);
  return { json, glb: out.buffer };
}

export class Materials {
  private readonly plain = new THREE.MeshStandardMaterial({
    color: 0xc9c4bb,
    roughness: 0.75,
    metalness: 0,
    side: THREE.DoubleSide,
  });

  constructor(
    private readonly byName: Map<string, THREE.Material>,
    hasColours: boolean,
  ) {
    if (!hasColours) return;
    this.plain.color.set(0xffffff);
    for (const material of [this.plain, ...byName.values()]) material.vertexColors = true;
  }

  // What the file calls by this name, or something plain.
  find(name: string): THREE.Material {
    return this.byName.get(name) ?? this.plain;
  }

  dispose(): void {
    for (const material of [this.plain, ...this.byName.values()]) material.dispose();
  }
}

export async function loadMaterials(hasColours: boolean, glb: ArrayBuffer | null): Promise<Materials> {
  const byName = new Map<string, THREE.Material>();
  const bare = glb && withoutScenes(glb);
  if (bare?.json.materials?.length) {
    const { parser } = await new GLTFLoader().parseAsync(bare.glb, '');
    for (const [index, { name = '' }] of bare.json.materials.entries()) {
      if (!byName.has(name)) byName.set(name, (await parser.getDependency('material', index)) as THREE.Material);
    }
  }
  return new Materials(byName, hasColours);
}
