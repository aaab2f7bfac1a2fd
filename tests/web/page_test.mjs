// The page in a real browser, as a person uses it: open, bind with two methods, slide K, undo, play, compare, save.
//   node page_test.mjs SINEW_PROGRAM WORK_FOLDER [SCREENSHOT_FOLDER]
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

function skip() {
  console.log('the packages of tests/web are not installed: make node');
  process.exit(77);
}

const [program, work, pictures] = process.argv.slice(2);
const browserPath = process.env.CHROMIUM ?? '/usr/bin/chromium';
if (!existsSync(browserPath)) {
  console.log(`no browser at ${browserPath}: tools/install-packages chromium`);
  process.exit(77);
}
const { default: validator } = await import('gltf-validator').catch(skip);
const { chromium } = await import('playwright-core').catch(skip);
mkdirSync(work, { recursive: true });

function sinew(...args) {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}

// The server, with the address that it prints.
async function startViewer(file) {
  const child = spawn(program, ['view', file, '--no-open', '--json', '--quiet'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    if (text.includes('\n}')) break;
  }
  return { child, address: JSON.parse(text).address };
}

const character = path.join(work, 'character.glb');
sinew('make-character', character, '--kind', 'adult', '--vertices', '3000', '--seed', '3');
const viewer = await startViewer(character);
const browser = await chromium.launch({
  executablePath: browserPath,
  // Software rendering: a test machine has no graphics card.
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-gpu-sandbox'],
});
const complaints = [];

async function step(name, action) {
  const start = performance.now();
  try {
    await action();
    console.log(`ok ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    console.log(`FAILED ${name}`);
    throw error;
  }
}

try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, acceptDownloads: true });
  page.setDefaultTimeout(60000);
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));

  // Asks again and again from outside: the page's content security policy lets nobody wait inside it.
  const until = async (condition, argument) => {
    const end = performance.now() + 60000;
    while (!(await page.evaluate(condition, argument))) {
      assert.ok(performance.now() < end, `waited in vain for ${condition}`);
      await new Promise((done) => setTimeout(done, 30));
    }
  };
  const entry = () => page.evaluate(() => document.body.dataset.entry);
  const history = () => page.locator('.history li').allInnerTexts();
  // Two frames later everything that was asked for is drawn.
  const drawn = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const shot = async () => {
    await drawn();
    return page.locator('.stage').screenshot({ style: '.messages { visibility: hidden }' });
  };
  const picture = async (name) => {
    await drawn();
    if (pictures) await page.screenshot({ path: path.join(pictures, `viewer_${name}.png`) });
  };
  const changes = async (action) => {
    const before = await entry();
    await action();
    await until((old) => document.body.dataset.entry !== old, before);
  };

  const drop = (name, bytes) =>
    page.evaluate(
      ([fileName, content]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([Uint8Array.from(content)], fileName));
        window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true }));
      },
      [name, [...bytes]],
    );

  await step('opens', async () => {
    await page.goto(viewer.address);
    await until(() => document.body.dataset.ready === 'true');
    assert.match(await page.title(), /character\.glb/);
    assert.deepEqual(await history(), ['weights of the file']);
    await page.screenshot({ path: path.join(work, 'open.png') });
    await picture('open');
  });

  await step('shows the weights of a joint', async () => {
    const before = await shot();
    await page.selectOption('#joint-list', { index: 4 });
    assert.equal(await page.inputValue('#look'), 'weight');
    assert.notDeepEqual(await shot(), before);
  });

  await step('binds with two methods', async () => {
    await changes(() => page.click('#bind'));
    assert.match((await history())[1], /^heat/);
    const heat = await shot();
    await page.selectOption('#method', 'atlas');
    await changes(() => page.click('#bind'));
    assert.match((await history())[2], /^atlas/);
    assert.notDeepEqual(await shot(), heat, 'other weights, other colours');
  });

  await step('K slides, one step of the history per gesture', async () => {
    const before = await shot();
    await page.evaluate(() => {
      const slider = document.querySelector('#live-softness');
      for (const value of [0.8, 1.2, 1.6]) {
        slider.value = String(value);
        slider.dispatchEvent(new Event('input'));
      }
      slider.dispatchEvent(new Event('change'));
    });
    await until(() => document.querySelector('.history .now')?.textContent?.includes('softness 1.6'));
    assert.equal((await history()).length, 4);
    assert.notDeepEqual(await shot(), before);
    await picture('bind');
  });

  await step('undoes and redoes', async () => {
    const soft = await shot();
    await changes(() => page.click('#undo'));
    assert.notDeepEqual(await shot(), soft);
    assert.equal(await page.inputValue('#option-softness'), '0.5', 'the controls follow');
    await page.locator('.view').first().focus();
    await changes(() => page.keyboard.press('Control+Shift+Z'));
    assert.deepEqual(await shot(), soft, 'the same picture again');
  });

  await step('plays a motion', async () => {
    await page.locator('.view').first().focus();
    await page.keyboard.press(' ');
    await until(() => Number(document.querySelector('#frame').value) > 2);
    await page.keyboard.press(' ');
    assert.equal(await page.innerText('#play'), 'Play');
    const frame = await page.inputValue('#frame');
    await drawn();
    assert.equal(await page.inputValue('#frame'), frame, 'paused');
    const before = await shot();
    await page.keyboard.press('.');
    assert.notDeepEqual(await shot(), before, 'one frame on');
  });

  await step('compares side by side', async () => {
    await page.keyboard.press('c');
    await until(() => !document.querySelectorAll('.view')[1].hidden);
    assert.equal(await page.locator('.caption').nth(1).innerText(), 'weights of the file');
    await page.keyboard.press('5');
    await picture('compare');
    await page.keyboard.press('3');
    await picture('dominant');
    await page.keyboard.press('c');
    await page.keyboard.press('2');
  });

  await step('turns a joint with the gizmo', async () => {
    await page.keyboard.press('r');
    await page.keyboard.press('1');
    await page.keyboard.press('g');
    const before = await shot();
    const box = await page.locator('.view').first().boundingBox();
    assert.ok(box);
    // Somewhere on the rings: search along a line through the middle for a place where the drag turns the joint.
    let turned = false;
    for (let x = 0.3; x < 0.7 && !turned; x += 0.02) {
      for (const y of [0.3, 0.4, 0.5]) {
        await page.mouse.move(box.x + box.width * x, box.y + box.height * y);
        await drawn();
        if (!(await page.evaluate(() => document.body.dataset.gizmo === 'true'))) continue;
        await page.mouse.down();
        await page.mouse.move(box.x + box.width * x + 30, box.y + box.height * y + 40, { steps: 4 });
        await page.mouse.up();
        turned = true;
        break;
      }
    }
    assert.ok(turned, 'the rings are on the screen');
    assert.notDeepEqual(await shot(), before);
    await picture('pose');
    await page.keyboard.press('g');
    await page.keyboard.press('r');
  });

  await step('retargets a dropped BVH and plays it', async () => {
    const clip = path.join(work, 'clip.bvh');
    sinew('convert', character, clip, '--quiet');
    const steps = (await history()).length;
    const motions = await page.locator('#motion option').count();
    await drop('clip.bvh', readFileSync(clip));
    await until((count) => document.querySelectorAll('#motion option').length > count, motions);
    assert.equal((await history()).length, steps, 'what was bound stays');
    await page.selectOption('#motion', 'clip');
    const before = await shot();
    await page.locator('.view').first().focus();
    await page.keyboard.press('.');
    assert.notDeepEqual(await shot(), before);
    await page.keyboard.press('r');
  });

  await step('saves a valid GLB', async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+S')]);
    assert.equal(download.suggestedFilename(), 'character_atlas.glb');
    const saved = path.join(work, 'saved.glb');
    await download.saveAs(saved);
    const { issues } = await validator.validateBytes(new Uint8Array(readFileSync(saved)), { maxIssues: 0 });
    assert.equal(issues.numErrors, 0, JSON.stringify(issues.messages.slice(0, 3)));
    assert.equal(issues.numWarnings, 0, JSON.stringify(issues.messages.slice(0, 3)));
    sinew('evaluate', saved, character);
  });

  await step('opens a dropped file, and says what is wrong with a broken one', async () => {
    await drop('broken.glb', Buffer.from('glTF nonsense'));
    await page.waitForSelector('.message.error');
    assert.match(await page.innerText('.message.error'), /broken\.glb/);
    await page.click('.message.error button');
    await drop('bare.obj', Buffer.from('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n'));
    await until(() => document.title.startsWith('bare.obj'));
    assert.deepEqual(await history(), ['no weights yet']);
    assert.equal(await page.isDisabled('#bind'), true);
    await drop('character.glb', readFileSync(character));
    await until(() => document.title.startsWith('character.glb'));
    assert.equal(await page.isDisabled('#bind'), false);
  });

  await step('keeps the result when the server stops', async () => {
    await changes(() => page.click('#bind'));
    await until(() => document.body.dataset.kept === document.body.dataset.entry);
    viewer.child.kill('SIGTERM');
    await page.waitForSelector('.banner');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#rescue')]);
    await download.saveAs(path.join(work, 'rescued.glb'));
    sinew('info', path.join(work, 'rescued.glb'));
  });

  const unexpected = complaints.filter((text) => !/ERR_CONNECTION_REFUSED|Failed to fetch/.test(text));
  assert.deepEqual(unexpected, [], 'the browser complains of nothing');
} finally {
  await browser.close();
  viewer.child.kill('SIGTERM');
}
