// node pose_in_three.mjs FOLDER...
//
// Loads FOLDER/character.fbx with three.js, plays it and compares the corners of all triangles with
// FOLDER/positions.f32. Exit code 1 when anything differs by more than 1e-5 of the diagonal, 77 without three.js.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const here = path.dirname(new URL(import.meta.url).pathname);
const modules = path.join(here, '..', 'node', 'node_modules', 'three');
if (!existsSync(modules)) {
  console.log('skipped: the node packages are not installed (make node)');
  process.exit(77);
}
// What a browser has and pictures need; they are beside the point here.
globalThis.self = globalThis;
globalThis.window = globalThis;
globalThis.document = { createElementNS: () => ({ addEventListener() {}, removeEventListener() {} }) };
const THREE = await import(path.join(modules, 'build', 'three.module.js'));
const { FBXLoader } = await import(path.join(modules, 'examples', 'jsm', 'loaders', 'FBXLoader.js'));

function corners(scene, part) {
  const mesh = scene.getObjectByName(part.name);
  if (!mesh?.isMesh) throw new Error(`${part.name} is not there`);
  const count = mesh.geometry.attributes.position.count;
  if (count !== 3 * part.triangles) throw new Error(`${part.name} has ${count} corners, not ${3 * part.triangles}`);
  const result = new Float64Array(3 * count);
  const point = new THREE.Vector3();
  for (let i = 0; i < count; ++i) {
    mesh.getVertexPosition(i, point);
    point.applyMatrix4(mesh.matrixWorld).toArray(result, 3 * i);
  }
  return result;
}

let failures = 0;
for (const folder of process.argv.slice(2)) {
  const name = path.basename(folder);
  try {
    const expected = JSON.parse(readFileSync(path.join(folder, 'character.json')));
    if (expected.influences > 4) {
      console.log(`${name}: has ${expected.influences} joints per vertex; three.js takes four`);
      continue;
    }
    const raw = readFileSync(path.join(folder, 'positions.f32'));
    const numbers = new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.byteLength));
    const bytes = readFileSync(path.join(folder, 'character.fbx'));
    const scene = new FBXLoader().parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), '');
    const mixer = new THREE.AnimationMixer(scene);
    let at = 0;
    let worst = 0;
    let where = '';
    for (const pose of expected.poses) {
      const clip = scene.animations.find((animation) => animation.name === pose.name);
      if (!clip) throw new Error(`no clip '${pose.name}'`);
      mixer.stopAllAction();
      const action = mixer.clipAction(clip);
      action.setLoop(THREE.LoopOnce);
      action.clampWhenFinished = true;
      action.play();
      mixer.setTime(pose.seconds);
      scene.updateMatrixWorld(true);
      for (const part of expected.parts) {
        if (part.triangles === 0) continue;
        for (const value of corners(scene, part)) {
          const far = Math.abs(value - numbers[at++]) / expected.diagonal;
          if (far > worst) [worst, where] = [far, `${part.name} in '${pose.name}' at ${pose.seconds.toFixed(3)} s`];
        }
      }
    }
    console.log(`${name}: three.js agrees within ${worst.toExponential(1)} of the diagonal (${where})`);
    if (!(worst < 1e-5)) {
      failures += 1;
      console.log(`FAILED ${name} in three.js: differs by ${worst.toExponential(2)} of the diagonal: ${where}`);
    }
  } catch (error) {
    failures += 1;
    console.log(`FAILED ${name} in three.js: ${error.stack}`);
  }
}
process.exit(failures > 0 ? 1 : 0);
