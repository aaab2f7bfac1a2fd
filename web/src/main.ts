// The page of `sinew view`: puts the panels around the stage and keeps them in step with the server.
import './style.css';
import * as api from './api';
import { BindPanel } from './bind_panel';
import { CorrectivePanel } from './corrective_panel';
import { PoseServer } from './correctives';
import { type BoundSkin, Figure, type LookFacts, type PosedSkin } from './figure';
import { FitPanel } from './fit_panel';
import { helpDialog, listenToKeys } from './keys';
import { buildPage, type PageParts } from './layout';
import { type Beside, LookPanel } from './look_panel';
import { Messages } from './messages';
import type { Motion } from './motion';
import { PaintPanel } from './paint_panel';
import { Runner } from './runner';
import { Saver } from './saver';
import { Stage } from './stage';
import { Tabs } from './tabs';
import { Timeline } from './timeline';
import { truthMotions } from './truth';

class Page {
  private readonly stage = new Stage();
  private readonly look = new LookPanel();
  private readonly timeline = new Timeline();
  private readonly messages = new Messages();
  private readonly runner = new Runner();
  private readonly saver = new Saver(this.messages);
  private readonly paintPanel = new PaintPanel();
  private readonly fitPanel = new FitPanel();
  private readonly correctivePanel = new CorrectivePanel();
  private readonly poseServer = new PoseServer();
  private readonly bindPanel: BindPanel;
  private readonly tabs: Tabs;
  private readonly parts: PageParts;

  private state: api.State | null = null;
  private figure: Figure | null = null;
  private skin: BoundSkin | null = null;
  private otherSkin: BoundSkin | null = null;
  private levelSkin: BoundSkin | null = null;
  private posedSkin: PosedSkin | null = null;
  private truth: Motion[] = [];
  private beside: Beside = null;
  private level = 0;
  private joint = -1;
  private shownEntry = -1;

  constructor(methods: api.Method[]) {
    this.bindPanel = new BindPanel(methods);
    this.tabs = new Tabs([
      ['Bind', this.bindPanel.element],
      ['Paint', this.paintPanel.element],
      ['Fit', this.fitPanel.element],
      ['Correct', this.correctivePanel.element],
    ]);
    this.parts = buildPage({
      stage: this.stage.element,
      messages: this.messages.element,
      working: this.runner.element,
      timeline: this.timeline.element,
      look: this.look.element,
      tabs: this.tabs.element,
      help: helpDialog(),
    });
    this.connectPanels();
    this.connectStage();
    this.listen();
  }

  async start(): Promise<void> {
    await this.refresh();
    document.body.dataset.ready = 'true';
    setInterval(() => void this.listenForServer(), 3000);
  }

  private connectPanels(): void {
    this.bindPanel.onBind = (request) => this.bind(request);
    this.look.onChange = () => this.repaint();
    this.look.onCompare = (beside) => void this.guard(() => this.compare(beside));
    this.look.onLevel = (level) => void this.guard(() => this.showLevel(level));
    this.look.onMakeLevels = () =>
      this.runner.add({ start: api.makeLevels, done: () => this.refresh().then(() => this.showLevel(1)) });
    this.paintPanel.onToggle = (on) => this.setPainting(on);
    this.paintPanel.onStroke = (request) => this.paint(request);
    this.paintPanel.onEnd = () => this.repaint();
    this.paintPanel.onRadius = () => this.stage.showBrush(this.paintPanel.active ? this.paintPanel.brushRadius : null);
    this.paintPanel.onSavePins = () => void this.guard(() => this.saver.pins());
    this.paintPanel.onLoadPins = () => this.parts.picker.click();
    this.fitPanel.onFit = (request) =>
      this.runner.add({ start: () => api.fit(request), done: () => this.refresh() });
    this.fitPanel.onChange = () => {
      if (this.fitPanel.moving) this.timeline.rest();
      this.repaint();
    };
    this.correctivePanel.onChange = () => void this.guard(() => this.setCorrectives());
    this.correctivePanel.onBeside = () => void this.guard(() => this.compare(this.beside === 'plain' ? null : 'plain'));
    this.tabs.onChange = (name) => {
      if (name !== 'Paint') this.setPainting(false);
      this.repaint();
    };
    this.runner.onError = (error) => this.messages.fail(error);
    this.runner.onIdle = () => this.repaint();
    const { parts } = this;
    parts.jointList.addEventListener('change', () => this.select(Number(parts.jointList.value)));
    parts.undo.addEventListener('click', () => void this.step(api.undo));
    parts.redo.addEventListener('click', () => void this.step(api.redo));
    parts.reset.addEventListener('click', () => this.timeline.rest());
    parts.save.addEventListener('click', () => this.save());
    parts.saveField.addEventListener('click', () => void this.guard(() => this.saver.field()));
    parts.picker.addEventListener('change', () => {
      const file = parts.picker.files?.[0];
      if (file) this.open(file);
      parts.picker.value = '';
    });
  }

  private connectStage(): void {
    this.stage.onPick = (joint) => this.select(joint);
    this.stage.onPose = () => this.timeline.release();
    this.stage.onMoved = (joint, place) => this.fitPanel.hold(joint, place.toArray());
    this.stage.beforeFrame = (seconds) => {
      this.timeline.advance(seconds);
      this.timeline.showCost(this.stage.frameMilliseconds);
      this.askForPose();
    };
    this.timeline.onChange = () => this.stage.redraw();
    this.timeline.onPlay = (playing) => {
      this.stage.playing = playing;
      // Joints are moved in the rest pose only.
      if (playing) this.fitPanel.stopMoving();
    };
  }

  private listen(): void {
    const first = () => this.state?.history.find(({ rig }) => rig === this.figure?.header.rig)?.id ?? null;
    listenToKeys({
      ' ': () => this.timeline.toggle(),
      ',': () => this.timeline.step(-1),
      '.': () => this.timeline.step(1),
      s: () => this.look.toggleSkeleton(),
      g: () => this.look.toggleGizmo(),
      c: () => void this.guard(() => this.compare(this.beside === null ? first() : null)),
      b: () => {
        this.tabs.choose('Paint');
        this.setPainting(!this.paintPanel.active);
      },
      '[': () => this.paintPanel.resize(1 / 1.25),
      ']': () => this.paintPanel.resize(1.25),
      x: () => this.paintPanel.flipWeight(),
      k: () => this.correctivePanel.toggle(),
      f: () => this.stage.frameAll(),
      r: () => this.timeline.rest(),
      '?': () => this.parts.help.showModal(),
      Escape: () => void this.runner.cancel(),
      'ctrl+z': () => void this.step(api.undo),
      'ctrl+shift+z': () => void this.step(api.redo),
      'ctrl+y': () => void this.step(api.redo),
      'ctrl+s': () => this.save(),
      ...Object.fromEntries([0, 1, 2, 3, 4, 5].map((look) => [String(look + 1), () => this.look.pickLook(look)])),
    });
    window.addEventListener('dragover', (event) => {
      event.preventDefault();
      document.body.classList.add('dropping');
    });
    window.addEventListener('dragleave', (event) => {
      if (event.relatedTarget === null) document.body.classList.remove('dropping');
    });
    window.addEventListener('drop', (event) => {
      event.preventDefault();
      document.body.classList.remove('dropping');
      for (const file of event.dataTransfer?.files ?? []) this.open(file);
    });
  }

  private async guard(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      this.messages.fail(error);
    }
  }

  private get entry(): api.Entry | null {
    return this.state?.history[this.state.position] ?? null;
  }

  // Brings the page to what the server has now.
  private async refresh(): Promise<void> {
    const before = this.state;
    const state = await api.state();
    this.state = state;
    const entry = state.history[state.position];
    const sameMesh = before?.history[0].id === state.history[0].id;
    if (this.figure?.header.generation !== entry.generation) await this.load(sameMesh);
    const newTruth = before?.truth?.frames !== state.truth?.frames || this.truth.length === 0;
    if (state.truth && newTruth) await this.loadTruth();
    await this.showEntry(entry);
    this.correctivePanel.show(state);
    await this.setCorrectives();
  }

  // Everything anew: another file, another skeleton, more motions.
  private async load(sameMesh: boolean): Promise<void> {
    const packet = await api.character();
    const figure = await Figure.make(packet, packet.header.has_materials ? await api.openedGlb() : null);
    const known = new Set(this.figure?.motions.map(({ name }) => name));
    const added = sameMesh ? (figure.motions.find(({ name }) => !known.has(name))?.name ?? null) : null;
    this.skin = this.otherSkin = this.levelSkin = this.posedSkin = null;
    this.shownEntry = -1;
    this.beside = null;
    this.level = 0;
    this.truth = [];
    if (!sameMesh || figure.joints.length !== this.figure?.joints.length) this.joint = -1;
    this.setPainting(false);
    this.figure = figure;
    this.stage.show(figure, sameMesh);
    this.timeline.show(figure, figure.motions, added);
    this.fitPanel.show(figure);
    this.parts.listJoints(figure.joints, this.joint);
    const { file, warnings } = this.state ?? { file: '', warnings: [] };
    this.parts.describe(file, packet.header);
    this.bindPanel.setEnabled(
      figure.joints.length > 0,
      figure.joints.length > 0 ? '' : 'there is no skeleton yet: drop a .glb, .fbx or .bvh file that holds one, or see Fit',
    );
    for (const { message } of warnings) this.messages.note(message, 'warning');
  }

  private async loadTruth(): Promise<void> {
    if (!this.figure) return;
    this.truth = truthMotions(await api.truth());
    this.timeline.show(this.figure, [...this.figure.motions, ...this.truth], this.truth[0]?.name ?? null);
  }

  // Brings the present entry of the history onto the skin.
  private async showEntry(entry: api.Entry): Promise<void> {
    const { figure, state } = this;
    if (!figure || !state) return;
    if (this.shownEntry !== entry.id) {
      const weights = await api.weights(entry.id);
      if (this.skin) this.skin.setWeights(weights);
      else this.skin = figure.addSkin(weights);
      this.shownEntry = entry.id;
      this.poseServer.forget();
      if (this.level > 0) await this.showLevel(this.level);
    }
    if (typeof this.beside === 'number' && !state.history.some(({ id }) => id === this.beside)) await this.compare(null);
    if (this.skin) this.paintPanel.show(figure, this.skin, entry.pins);
    this.look.showLevels(state.levels, this.level, figure.header.vertices);
    this.parts.showHistory(state);
    document.body.dataset.entry = String(entry.id);
    this.repaint();
    this.saver.keep(entry, state.file, state.position === 0);
  }

  private async compare(beside: Beside): Promise<void> {
    const { figure } = this;
    if (!figure) return;
    const weights = typeof beside === 'number' ? await api.weights(beside) : null;
    if (this.otherSkin) figure.removeSkin(this.otherSkin);
    this.otherSkin = weights ? figure.addSkin(weights) : null;
    this.beside = beside;
    this.repaint();
  }

  private async showLevel(level: number): Promise<void> {
    const { figure, state } = this;
    if (!figure || !state) return;
    const packet = level > 0 ? await api.level(level) : null;
    if (this.levelSkin) figure.removeSkin(this.levelSkin);
    this.levelSkin = packet ? figure.addLevel(packet) : null;
    this.level = level;
    if (level > 0) this.setPainting(false);
    this.look.showLevels(state.levels, level, figure.header.vertices);
    this.repaint();
  }

  // A skin for corrected shapes while they are wanted.
  private async setCorrectives(): Promise<void> {
    const { figure, entry } = this;
    if (!figure || !entry) return;
    const on = this.correctivePanel.on;
    if (on) this.setPainting(false);
    if (on && !this.posedSkin) this.posedSkin = figure.addPosedSkin(await api.weights(entry.id));
    if (!on && this.posedSkin) {
      figure.removeSkin(this.posedSkin);
      this.posedSkin = null;
      if (this.beside === 'plain') this.beside = null;
    }
    this.poseServer.forget();
    this.repaint();
  }

  // Holds the stage until the server has posed this frame, when it is needed.
  private askForPose(): void {
    const { figure, skin, posedSkin } = this;
    const truth = this.timeline.truthFrame;
    if (!figure || !skin || (!posedSkin && truth === null) || !this.poseServer.changed(figure, truth)) return;
    this.stage.held = true;
    void (async () => {
      try {
        await this.poseServer.pose(figure, skin, posedSkin, truth);
        this.correctivePanel.showFrame(this.poseServer.header, this.stage.frameMilliseconds, figure.bounds.radius * 2);
        if (this.look.look === 'error') this.colour();
      } catch (error) {
        this.messages.fail(error);
      }
      this.stage.release();
    })();
  }

  private select(joint: number): void {
    this.joint = joint;
    this.parts.jointList.value = String(joint);
    this.paintPanel.select(joint);
    if (this.look.look === 'materials') this.look.look = 'weight';
    else this.repaint();
  }

  private colour(): void {
    const { figure } = this;
    if (!figure) return;
    const facts: LookFacts = {
      look: this.look.look,
      joint: this.joint,
      colours: figure.colours,
      fullError: 0.01 * 2 * figure.bounds.radius,
    };
    for (const shown of [this.skin, this.otherSkin, this.levelSkin, this.posedSkin]) shown?.show(facts);
  }

  private repaint(): void {
    const { figure, skin, state, entry, posedSkin, levelSkin } = this;
    if (!figure || !skin || !state || !entry) return;
    this.colour();
    const left = posedSkin ?? levelSkin ?? skin;
    const right = this.beside === 'plain' ? skin : this.otherSkin;
    if (this.paintPanel.active && this.look.look === 'weight') this.paintPanel.preview();
    this.stage.setSkins(left, right);
    const fitting = this.tabs.current === 'Fit';
    this.stage.showSkeleton(this.look.skeleton, fitting && this.fitPanel.before, fitting);
    this.stage.showPins(this.tabs.current === 'Paint' && left === skin ? skin : null);
    this.stage.showBrush(this.paintPanel.active ? this.paintPanel.brushRadius : null);
    const moving = fitting && this.fitPanel.moving;
    this.stage.select(this.joint, moving ? 'move' : this.look.gizmo && !this.paintPanel.active ? 'turn' : 'none');
    const suffix = posedSkin ? ', corrected' : levelSkin ? `, level ${this.level}` : '';
    this.stage.captions[0].textContent = entry.label + suffix;
    const other = state.history.find(({ id }) => id === this.beside);
    this.stage.captions[1].textContent = this.beside === 'plain' ? 'plain skinning' : (other?.label ?? '');
    const comparable = state.history.filter(({ rig }) => rig === figure.header.rig);
    this.look.showEntries(comparable, this.beside, posedSkin !== null);
  }

  private bind(request: api.BindRequest): void {
    this.runner.add({
      gesture: request.gesture,
      start: () => api.bind(request),
      done: async () => {
        await this.refresh();
        if (!request.gesture) for (const { message } of this.entry?.warnings ?? []) this.messages.note(message, 'warning');
      },
    });
  }

  // Painting goes on from biharmonic weights: where there are others, these are computed first.
  private setPainting(on: boolean): void {
    const { entry, figure } = this;
    if (on === this.paintPanel.active || (on && (!entry || !figure?.joints.length))) return;
    if (on && entry?.method !== 'biharmonic') {
      this.messages.note('Painting starts from biharmonic weights: computing them.');
      this.runner.add({
        start: () => api.bind(this.bindPanel.requestFor('biharmonic')),
        done: () => this.refresh().then(() => this.setPainting(true)),
      });
      return;
    }
    this.paintPanel.setActive(on);
    this.stage.brush = on ? this.paintPanel : null;
    document.body.dataset.painting = String(on);
    if (!on) return this.repaint();
    if (this.level > 0) void this.guard(() => this.showLevel(0));
    if (this.correctivePanel.on) this.correctivePanel.toggle();
    this.select(Math.max(this.joint, 0));
    this.look.look = 'weight';
    this.paint({ gesture: '', answer: 'none', strokes: [] });
  }

  private paint(request: api.PaintRequest): void {
    this.runner.add({
      gesture: request.gesture || undefined,
      background: request.answer === 'all' && request.gesture !== '',
      start: () => api.paint(request),
      done: () => (request.answer === 'none' ? Promise.resolve() : this.refresh()),
    });
  }

  private open(file: File): void {
    this.runner.add({
      start: () => api.open(file, this.fitPanel.takesSkeleton),
      done: async () => {
        await this.refresh();
        if (file.name.endsWith('.sinewc')) this.tabs.choose('Correct');
      },
    });
  }

  private async step(move: () => Promise<api.State>): Promise<void> {
    if (!(await this.runner.settle())) return;
    await this.guard(async () => {
      await move();
      await this.refresh();
      const { entry } = this;
      if (entry?.method) this.bindPanel.adopt(entry.method, entry.options, entry.max_influences);
      if (entry?.method !== 'biharmonic') this.setPainting(false);
    });
  }

  private save(): void {
    const { entry } = this;
    if (entry) void this.guard(() => this.saver.glb(entry));
  }

  private async listenForServer(): Promise<void> {
    try {
      await api.heartbeat();
      this.messages.serverGone(false);
    } catch (error) {
      this.messages.fail(error);
    }
  }
}

void api
  .methods()
  .then((methods) => new Page(methods).start())
  .catch((error: unknown) => {
    document.body.textContent = `The page could not start: ${error instanceof Error ? error.message : String(error)}`;
  });
