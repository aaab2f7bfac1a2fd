// Loads a VRM with @pixiv/three-vrm and moves it: what is wrong with it, as a list of texts.
import { readFileSync } from 'node:fs';
import './pose_in_three.mjs'; // what three.js expects of a browser
import * as THREE from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { VRMHumanBoneName, VRMLoaderPlugin, VRMRequiredHumanBoneName } from '@pixiv/three-vrm';

function place(vrm, bone) {
  return vrm.humanoid.getRawBoneNode(bone).getWorldPosition(new THREE.Vector3());
}

export async function checkVrm(file) {
  const bytes = readFileSync(file);
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMLoaderPlugin(parser));
  const gltf = await loader.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), '');
  const vrm = gltf.userData.vrm;
  if (!vrm) return ['three-vrm sees no VRM'];
  const problems = [];
  if (vrm.meta.metaVersion !== '1' && vrm.meta.metaVersion !== '0') problems.push(`meta version ${vrm.meta.metaVersion}`);
  if (vrm.meta.metaVersion === '1' && !(vrm.meta.authors?.length > 0 && vrm.meta.name && vrm.meta.licenseUrl)) {
    problems.push('meta lacks name, authors or licence');
  }
  for (const bone of Object.values(VRMRequiredHumanBoneName)) {
    if (!vrm.humanoid.getRawBoneNode(bone)) problems.push(`no ${bone}`);
  }
  if (problems.length > 0) return problems;
  gltf.scene.updateMatrixWorld(true);
  // A VRM 1.0 faces +Z, so its left is +X, and stands in a T-pose.
  if (vrm.meta.metaVersion === '1') {
    const arm = place(vrm, VRMHumanBoneName.LeftHand).sub(place(vrm, VRMHumanBoneName.LeftUpperArm)).normalize();
    if (arm.x < 0.95) problems.push(`the left arm points to ${arm.toArray()}`);
  }
  const before = place(vrm, VRMHumanBoneName.LeftHand);
  vrm.humanoid.getNormalizedBoneNode(VRMHumanBoneName.LeftUpperArm).rotation.z = -1;
  vrm.update(1 / 60);
  gltf.scene.updateMatrixWorld(true);
  const after = place(vrm, VRMHumanBoneName.LeftHand);
  if (vrm.meta.metaVersion === '1' && !(after.y < before.y)) problems.push('the left arm does not come down');
  return problems;
}
