// Loads a GLB with three.js and poses it on the CPU, for comparison with what the library says.
import { readFileSync } from 'node:fs';

// GLTFLoader expects a browser; textures are beside the point here, so every image is an empty one.
globalThis.self = globalThis;
globalThis.createImageBitmap = async () => ({ width: 1, height: 1, close() {} });
const THREE = await import('three');
const { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js');
THREE.ImageBitmapLoader.prototype.load = (url, done) => done({ width: 1, height: 1, close() {} });
THREE.TextureLoader.prototype.load = (url, done) => done(new THREE.Texture());

export async function loadScene(file) {
  const bytes = readFileSync(file);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  return new GLTFLoader().parseAsync(buffer, '');
}

// three.js makes node names unique and free of reserved characters; the file's own names are in the parser.
function nodeName(gltf, object) {
  const { nodes } = gltf.parser.associations.get(object);
  return gltf.parser.json.nodes[nodes].name ?? `node ${nodes}`;
}

// As the library names parts: by node, and by primitive where a mesh has several.
function partName(gltf, mesh) {
  const { meshes, primitives } = gltf.parser.associations.get(mesh);
  let node = mesh;
  while (gltf.parser.associations.get(node)?.nodes === undefined) node = node.parent;
  const several = gltf.parser.json.meshes[meshes].primitives.length > 1;
  return nodeName(gltf, node) + (several ? `.${primitives}` : '');
}

// The meshes in the order of the library's parts; a part that is not there is undefined.
function meshesOf(gltf, parts) {
  const meshes = [];
  gltf.scene.traverse((object) => {
    if (object.isMesh || object.isPoints) meshes.push(object);
  });
  const named = parts.map((part) => {
    const at = meshes.findIndex((mesh) => mesh && partName(gltf, mesh) === part.name);
    return at < 0 ? undefined : meshes.splice(at, 1, undefined)[0];
  });
  return { named, surplus: meshes.filter((mesh) => mesh).length };
}

// Files need not name their animations; the library then calls them by number.
function findClip(gltf, name) {
  const number = /^animation (\d+)$/.exec(name);
  return gltf.animations.find((animation) => animation.name === name) ?? (number && gltf.animations[number[1]]);
}

function posedPositions(meshes) {
  const result = [];
  const point = new THREE.Vector3();
  for (const mesh of meshes) {
    const positions = mesh.geometry.attributes.position;
    for (let i = 0; i < positions.count; ++i) {
      mesh.getVertexPosition(i, point); // with morph targets and bones
      point.applyMatrix4(mesh.matrixWorld);
      result.push(point.x, point.y, point.z);
    }
  }
  return result;
}

function compareWeights(gltf, meshes, dump, problems) {
  if (dump.influences === 0) return;
  let vertex = 0;
  let wrong = 0;
  meshes.forEach((mesh, part) => {
    const count = mesh.geometry.attributes.position.count;
    if (mesh.isSkinnedMesh !== (dump.parts[part].skinned && dump.influences > 0 ? true : undefined)) {
      problems.push(`part ${part} should ${dump.parts[part].skinned ? '' : 'not '}be skinned`);
    }
    if (mesh.isSkinnedMesh) {
      const names = mesh.skeleton.bones.map((bone) => nodeName(gltf, bone));
      const { skinIndex, skinWeight } = mesh.geometry.attributes;
      for (let i = 0; i < count; ++i) {
        const seen = {};
        for (let k = 0; k < 4; ++k) {
          const weight = skinWeight.getComponent(i, k);
          const name = names[skinIndex.getComponent(i, k)];
          if (weight > 0) seen[name] = (seen[name] ?? 0) + weight;
        }
        for (let k = 0; k < dump.influences; ++k) {
          const slot = (vertex + i) * dump.influences + k;
          if (dump.weights[slot] > 0) seen[dump.joints[dump.weight_joints[slot]]] -= dump.weights[slot];
        }
        if (Object.values(seen).some((difference) => !(Math.abs(difference) < 1e-5))) wrong += 1;
      }
    }
    vertex += count;
  });
  if (wrong > 0) problems.push(`${wrong} vertices have other joints or weights in three.js`);
}

export function compareWithDump(gltf, dump) {
  const problems = [];
  const { named: meshes, surplus } = meshesOf(gltf, dump.parts);
  dump.parts.forEach((part, i) => {
    if (meshes[i]?.geometry.attributes.position.count !== part.count) problems.push(`'${part.name}' is not as it should be`);
  });
  if (surplus > 0) problems.push(`${surplus} meshes too many`);
  if (problems.length > 0) return { problems, worst: Infinity };
  compareWeights(gltf, meshes, dump, problems);
  let worst = 0;
  for (const pose of dump.poses) {
    const clip = findClip(gltf, pose.animation);
    if (!clip) {
      problems.push(`there is no animation '${pose.animation}'`);
      continue;
    }
    const mixer = new THREE.AnimationMixer(gltf.scene);
    const action = mixer.clipAction(clip);
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    const begin = Math.min(...clip.tracks.map((track) => track.times[0]));
    mixer.setTime(begin + pose.seconds + 1e-6);
    gltf.scene.updateMatrixWorld(true);
    const positions = posedPositions(meshes);
    let distance = 0;
    for (let i = 0; i < positions.length; ++i) {
      distance = Math.max(distance, Math.abs(positions[i] - pose.positions[i]) / dump.diagonal);
    }
    if (!(distance < 1e-4)) {
      problems.push(`'${pose.animation}' at ${pose.seconds} s: off by ${distance.toExponential(1)} of the diagonal`);
    }
    worst = Math.max(worst, distance);
    action.stop();
    mixer.uncacheClip(clip);
  }
  return { problems, worst };
}
