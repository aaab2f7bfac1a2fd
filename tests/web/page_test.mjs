// The page in a real browser, as a person uses it: open, bind with two methods, slide K, paint, undo, play, compare, fit,
// correct, save.
//   node page_test.mjs SINEW_PROGRAM CORRECTIVE_SAMPLE WORK_FOLDER [SCREENSHOT_FOLDER]
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

function skip() {
  console.log('the packages of tests/web are not installed: make node');
  process.exit(77);
}

const [program, sample, work, pictures] = process.argv.slice(2);
const browserPath = process.env.CHROMIUM ?? '/usr/bin/chromium';
if (!existsSync(browserPath)) {
  console.log(`no browser at ${browserPath}: tools/install-packages chromium`);
  process.exit(77);
}
const { default: validator } = await import('gltf-validator').catch(skip);
const { chromium } = await import('playwright-core').catch(skip);
mkdirSync(work, { recursive: true });

function run(command, ...args) {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}
const sinew = (...args) => run(program, ...args);

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
  // Pictures that should be the same; when they are not, both are left for looking at.
  const sameShot = async (expected, message) => {
    const actual = await shot();
    if (actual.equals(expected)) return;
    writeFileSync(path.join(work, 'expected.png'), expected);
    writeFileSync(path.join(work, 'actual.png'), actual);
    assert.fail(`${message}: see expected.png and actual.png in ${work}`);
  };
  const entry = () => page.evaluate(() => document.body.dataset.entry);
  const history = () => page.locator('.history li').allInnerTexts();
  // Two frames later everything that was asked for is drawn.
  const drawn = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  // The picture alone, without what lies over it.
  const shot = async () => {
    const cover = (visibility) =>
      page.evaluate((value) => {
        for (const item of document.querySelectorAll('.messages, .brush, .working')) item.style.visibility = value;
      }, visibility);
    await cover('hidden');
    await drawn();
    const taken = await page.locator('.stage').screenshot();
    await cover('');
    return taken;
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

  // No job runs and none waits.
  const idle = () => until(() => document.body.dataset.idle === 'true');
  const jointValue = (name) =>
    page.evaluate(
      (wanted) => [...document.querySelectorAll('#joint-list option')].find((o) => o.textContent.trim() === wanted).value,
      name,
    );
  // Looks for the gizmo around the middle of the view and drags it.
  const dragGizmo = async () => {
    const box = await page.locator('.view').first().boundingBox();
    for (let x = 0.3; x < 0.8; x += 0.02) {
      for (let y = 0.2; y < 0.6; y += 0.04) {
        await page.mouse.move(box.x + box.width * x, box.y + box.height * y);
        if (!(await page.evaluate(() => document.body.dataset.gizmo === 'true'))) continue;
        await page.mouse.down();
        await page.mouse.move(box.x + box.width * x + 30, box.y + box.height * y + 40, { steps: 4 });
        await page.mouse.up();
        return true;
      }
    }
    return false;
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
    await sameShot(soft, 'the same picture again');
  });

  await step('colours by the number of influences', async () => {
    await page.keyboard.press('4');
    assert.equal(await page.inputValue('#look'), 'count');
    assert.deepEqual(await page.locator('.legend .key').allInnerTexts(), ['1', '2', '3', '4', '5+']);
    const many = await shot();
    await picture('count');
    await page.fill('#influences', '1');
    await changes(() => page.click('#bind'));
    assert.notDeepEqual(await shot(), many, 'one joint per vertex has one colour');
    await changes(() => page.click('#undo'));
    assert.equal(await page.inputValue('#influences'), '4', 'the controls follow');
    await page.locator('.view').first().focus();
    await page.keyboard.press('4');
    await sameShot(many, 'the colours as they were');
    await page.keyboard.press('2');
  });

  // Drags over the character, from one share of the view to another.
  const drag = async ([fromX, fromY], [toX, toY]) => {
    const box = await page.locator('.view').first().boundingBox();
    await page.mouse.move(box.x + box.width * fromX, box.y + box.height * fromY);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * toX, box.y + box.height * toY, { steps: 4 });
    await page.mouse.up();
  };
  const pinCount = () => page.innerText('#pin-count');

  await step('paints a stroke, and the weights around it follow', async () => {
    // Few points: a test need not be smooth.
    await page.selectOption('#method', 'biharmonic');
    await page.fill('#option-resolution', '800');
    await page.click('#tab-paint');
    await changes(() => page.click('#paint'));
    await until(() => document.body.dataset.painting === 'true');
    assert.match((await history()).at(-1), /^biharmonic/);
    assert.equal(await pinCount(), 'no pins');
    const before = await shot();
    await changes(() => drag([0.49, 0.36], [0.52, 0.42]));
    // An answer comes before the stroke has settled; the next stroke and undoing do not wait for that.
    assert.match(await pinCount(), /pinned vertices/);
    await idle();
    const painted = await shot();
    assert.notDeepEqual(painted, before);
    await picture('paint');
    // One stroke is one step, however often it was answered.
    const steps = (await history()).length;
    await page.check('#brush-mirror');
    await page.fill('#brush-weight', '0');
    await drag([0.5, 0.5], [0.52, 0.55]);
    await idle();
    assert.equal((await history()).length, steps + 1);
    await changes(() => page.click('#undo'));
    await sameShot(painted, 'undone');
  });

  await step('saves, removes and loads pins', async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save-pins')]);
    assert.equal(download.suggestedFilename(), 'character.pins.json');
    const pins = path.join(work, 'character.pins.json');
    await download.saveAs(pins);
    const count = await pinCount();
    await changes(() => page.click('#remove-pins'));
    assert.equal(await pinCount(), 'no pins');
    await changes(() => drop('character.pins.json', readFileSync(pins)));
    assert.equal(await pinCount(), count);
    sinew('bind', character, '--method', 'biharmonic', '--resolution', '800', '--pins', pins, '-o', path.join(work, 'pinned.glb'));
    await page.locator('.view').first().focus();
    await page.keyboard.press('b');
    assert.equal(await page.evaluate(() => document.body.dataset.painting), 'false');
    // Back to the atlas for the steps that follow.
    while (!/^atlas/.test(await page.innerText('.history .now'))) await changes(() => page.click('#undo'));
    await page.click('#tab-bind');
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

  await step('shows a coarser level of detail', async () => {
    const before = await shot();
    await page.selectOption('#detail', 'make');
    await until(() => document.querySelector('#detail').value === '1');
    assert.match(await page.locator('.caption').first().innerText(), /level 1$/);
    assert.notDeepEqual(await shot(), before);
    await page.selectOption('#detail', '0');
    await until(() => !/level/.test(document.querySelector('.caption').textContent));
    await sameShot(before, 'full detail again');
  });

  await step('turns a joint with the gizmo', async () => {
    await page.keyboard.press('r');
    await page.keyboard.press('1');
    await page.keyboard.press('g');
    const before = await shot();
    assert.ok(await dragGizmo(), 'the rings are on the screen');
    assert.notDeepEqual(await shot(), before);
    await picture('pose');
    await page.keyboard.press('g');
    await page.keyboard.press('r');
  });

  await step('retargets a dropped BVH and plays it', async () => {
    const clip = path.join(work, 'clip.bvh');
    sinew('convert', character, clip, '--quiet');
    const motions = await page.locator('#motion option').count();
    await changes(() => drop('clip.bvh', readFileSync(clip)));
    assert.equal(await page.locator('#motion option').count(), motions + 1);
    assert.equal((await history()).at(-1), 'motion clip', 'a step of its own');
    assert.equal(await page.locator('#motion option:checked').innerText(), 'clip');
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
    await page.evaluate(() => document.querySelectorAll('.message').forEach((message) => message.remove()));
    const bare = path.join(work, 'bare.obj');
    sinew('convert', character, bare, '--quiet');
    await drop('bare.obj', readFileSync(bare));
    await until(() => document.title.startsWith('bare.obj'));
    await idle();
    assert.deepEqual(await history(), ['no weights yet']);
    assert.equal(await page.isDisabled('#bind'), true);
  });

  await step('fits the skeleton of a dropped BVH, and again around a joint that was moved', async () => {
    await changes(() => drop('clip.bvh', readFileSync(path.join(work, 'clip.bvh'))));
    await page.click('#tab-fit');
    await changes(() => page.click('#fit'));
    assert.match(await page.innerText('#fit-facts'), /Confidence 0\.\d\d/);
    assert.equal(await page.locator('#motion option').count(), 2, 'rest pose and clip');
    await page.keyboard.press('r');
    await page.selectOption('#joint-list', await jointValue('LeftForeArm'));
    await page.locator('.view').first().focus();
    await page.keyboard.press('1');
    await picture('fit');
    await page.check('#fit-move');
    await drawn();
    const moved = await dragGizmo();
    assert.ok(moved, 'the arrows are on the screen');
    await until(() => /1 held/.test(document.querySelector('.history .now').textContent));
    await picture('held');
    await changes(() => page.click('#fit-let-go'));
    assert.equal(await page.innerText('.history .now'), 'fitted skeleton');
    await page.uncheck('#fit-move');
    await page.click('#tab-bind');
    await changes(() => page.click('#bind'));
    await page.locator('.view').first().focus();
    await page.keyboard.press(' ');
    await until(() => Number(document.querySelector('#frame').value) > 1);
    await page.keyboard.press(' ');
  });

  await step('corrects: on and off, beside plain skinning, with errors and times', async () => {
    const arm = path.join(work, 'arm');
    run(sample, arm);
    await drop('arm.glb', readFileSync(path.join(arm, 'character.glb')));
    await until(() => document.title.startsWith('arm.glb'));
    await idle();
    await drop('shapes.sinewt', readFileSync(path.join(arm, 'shapes.sinewt')));
    await idle();
    await drop('arm.sinewc', readFileSync(path.join(arm, 'arm.sinewc')));
    await until(() => document.querySelector('#correctives').checked);
    await idle();
    await page.selectOption('#motion', 'truth: curl');
    await page.fill('#frame', '11');
    await until(() => /ms/.test(document.querySelector('#corrective-times').textContent));
    const corrected = await shot();
    await page.locator('.view').first().focus();
    await page.keyboard.press('k');
    await drawn();
    assert.notDeepEqual(await shot(), corrected, 'plain skinning looks otherwise');
    await page.keyboard.press('k');
    await page.click('#plain-beside');
    await page.locator('.view').first().focus();
    await page.keyboard.press('6');
    await until(() => /corrected/.test(document.querySelector('#corrective-errors').textContent));
    const [, plain, better] = (await page.innerText('#corrective-errors')).match(/plain ([\d.]+) %.*corrected ([\d.]+) %/);
    assert.ok(Number(better) < Number(plain), `${better} < ${plain}`);
    assert.equal(await page.locator('.caption').nth(1).innerText(), 'plain skinning');
    await page.keyboard.press('f');
    await picture('correct');
    await page.keyboard.press(' ');
    await until(() => Number(document.querySelector('#frame').value) < 10);
    await page.keyboard.press(' ');
    await drop('character.glb', readFileSync(character));
    await until(() => document.title.startsWith('character.glb'));
    await idle();
    await page.keyboard.press('1');
    await page.click('#tab-bind');
  });

  await step('works without a mouse', async () => {
    await page.focus('#tab-bind');
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.getAttribute('#tab-paint', 'aria-selected'), 'true');
    await page.keyboard.press('ArrowLeft');
    // Every control that can be seen is reached by Tab and has a name.
    const unnamed = await page.evaluate(() =>
      [...document.querySelectorAll('button, select, input')]
        .filter((control) => control.offsetParent !== null)
        .filter((control) => control.tabIndex < 0 && control.getAttribute('role') !== 'tab')
        .map((control) => control.id),
    );
    assert.deepEqual(unnamed, []);
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll('button, select, input')]
        .filter((control) => control.offsetParent !== null)
        .filter((control) => !(control.textContent || control.getAttribute('aria-label') || control.labels?.length))
        .map((control) => control.outerHTML),
    );
    assert.deepEqual(nameless, []);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 1280, 'fits on the screen');
  });

  await step('texts can be read: contrast of at least 4.5', async () => {
    const poor = await page.evaluate(() => {
      const parse = (text) => (text.match(/[\d.]+/g) ?? []).map(Number);
      const light = ([r, g, b]) => {
        const linear = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
      };
      const ground = (node) => {
        for (let at = node; at; at = at.parentElement) {
          const colour = parse(getComputedStyle(at).backgroundColor);
          if (colour.length === 3 || colour[3] > 0.5) return colour;
        }
        return [27, 29, 34];
      };
      return [...document.querySelectorAll('h1, h2, p, span, button, select, li, output, label, option')]
        .filter((node) => node.offsetParent !== null && node.textContent.trim() && !node.disabled)
        .filter((node) => !node.closest('.key') && getComputedStyle(node).opacity === '1')
        .map((node) => {
          const [a, b] = [light(parse(getComputedStyle(node).color)), light(ground(node))];
          return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), node.outerHTML.slice(0, 80)];
        })
        .filter(([contrast]) => contrast < 4.5);
    });
    assert.deepEqual(poor, []);
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
