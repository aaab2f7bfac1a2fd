"""The work: the same as the command line does, with progress, threads and Ctrl-C."""
import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import sinew


def test_bind_gives_the_bits_of_the_command(person, tmp_path):
    person.save(tmp_path / "in.glb")
    subprocess.run([sys.executable, "-m", "sinew", "bind", "in.glb", "-o", "out.glb", "--method", "atlas", "--softness", "0.3",
                    "--quiet"], cwd=tmp_path, check=True)
    mine = sinew.load(tmp_path / "in.glb")
    report = mine.bind("atlas", softness=0.3)
    assert report["method"] == "atlas" and report["vertices"] == len(mine.vertices)
    mine.save(tmp_path / "mine.glb")
    assert (tmp_path / "mine.glb").read_bytes() == (tmp_path / "out.glb").read_bytes()


def test_methods_are_listed_with_their_options():
    methods = {method["name"]: method for method in sinew.methods()}
    assert {"heat", "atlas", "biharmonic", "skincells", "proximity"} <= set(methods)
    softness = next(option for option in methods["atlas"]["options"] if option["name"] == "softness")
    assert softness["default"] == 0.5 and softness["help"]


def test_bind_refuses_what_does_not_exist(person):
    before = person.weight_values
    for arguments, code in ((dict(method="hea"), "method-unknown"), (dict(max_influences=40), "option-out-of-range"),
                            (dict(no_such=1), "option-unknown"), (dict(joints="NoSuchJoint"), "joint-unknown"),
                            (dict(threads=2**40), "argument-invalid"), (dict(pins="{"), "settings-invalid")):
        with pytest.raises(sinew.Error) as raised:
            person.bind(**arguments)
        assert raised.value.code == code
    assert np.array_equal(person.weight_values, before)
    with pytest.raises(TypeError):
        person.bind(max_influences="many")
    with pytest.raises(TypeError):
        person.bind(method=3)


def test_a_field_moves_to_another_mesh(person):
    report = person.bind("skincells", steps=0, fit_steps=5)
    assert report.field
    level = person.lods(2)[1]
    level.weights = None
    assert level.apply_field(report.field)["vertices"] == len(level.vertices)


def test_a_bind_that_was_stopped_goes_on(person):
    options = dict(steps=40, fit_steps=20, seed=3)
    whole, states = person.copy(), []
    whole.bind("skincells", save_state=states.append, **options)
    assert states and all(isinstance(state, bytes) for state in states)
    again = person.copy()
    again.bind("skincells", resume=states[0], **options)
    assert np.array_equal(again.weight_values, whole.weight_values)

    class Full(Exception):
        pass

    def refuse(state):
        raise Full(len(state))

    with pytest.raises(Full):
        person.bind("skincells", save_state=refuse, **options)
    for arguments, code in ((dict(method="skincells", resume=b"rubbish"), "file-damaged"),
                            (dict(method="heat", resume=states[0]), "options-conflict")):
        with pytest.raises(sinew.Error) as raised:
            person.bind(**arguments)
        assert raised.value.code == code
    with pytest.raises(TypeError):
        person.bind("skincells", resume="a path")


def test_rig_fit_and_retarget(bare, made):
    stages = []
    report = bare.rig(made, progress=lambda fraction, stage: stages.append((fraction, stage)))
    assert report["confidence"] > 0.3
    assert [w for w in report.warnings if w.code != "unlike-training"] == []  # nobody learned from built-in people
    assert bare.has_weights and len(bare.motions) == len(made.motions)
    soft = sinew.Character(made.vertices, made.faces)
    soft.rig(made, method="atlas", softness=0.9)
    assert (soft.weight_values > 0).sum() > (bare.weight_values > 0).sum()
    with pytest.raises(sinew.UsageError):
        soft.rig(made, method="atlas", no_such=1)
    assert stages and all(0 <= fraction <= 1 and stage for fraction, stage in stages)
    stepwise = sinew.Character(made.vertices, made.faces)
    fitted = stepwise.fit(made, held={0: made.joint_positions[0]})
    assert np.allclose(fitted["joints"][0]["position"], made.joint_positions[0])
    wrist = np.asarray(fitted["joints"][made.joint("LeftHand")]["position"]) + (0.01, 0, 0)
    marked = stepwise.fit(made, markers={"wrist.L": wrist})
    assert np.allclose(marked["joints"][made.joint("LeftHand")]["position"], wrist)
    assert np.linalg.norm(stepwise.middle_of_limb(wrist) - wrist) < 0.1
    assert {"chin", "wrist.L", "wrist.R"} <= set(sinew.marker_names()) and "wrist" not in sinew.marker_names()
    assert stepwise.fit(made, markers={"wrist.L": wrist}, markers_on_skin=["wrist.L"])["confidence"] > 0.3
    for wrong in (dict(ignore=["#900"]), dict(markers_on_skin=["chin"])):
        with pytest.raises(sinew.UsageError):
            stepwise.fit(made, markers={"wrist.L": wrist}, **wrong)
    stepwise.retarget(made, motions=[0], joint_map=stepwise.joint_map(made))
    assert [motion.name for motion in stepwise.motions] == [made.motions[0].name]
    assert sinew.builtin_skeleton("quadruped").motions
    with pytest.raises(sinew.BadInputError):
        stepwise.fit("quadruped")


def test_a_piece_of_a_motion_faster_and_the_other_way_round(made):
    clip = made.motions[0]
    hero = made.copy()
    hero.retarget(made, motions=[0], begin=0.2, end=0.6, speed=2, keep_contacts=False)
    assert hero.motions[0].duration == pytest.approx(0.2, abs=2 / clip.frames_per_second)
    hero.retarget(made, motions=[0], mirror=True, keep_contacts=False)
    left, right = made.joint("LeftUpLeg"), made.joint("RightUpLeg")
    places = made.pose_joints(made.sample(0, 0.3))[:, :3, 3]
    mirrored = hero.pose_joints(hero.sample(0, 0.3))[:, :3, 3]
    knee, other = made.joint("LeftLeg"), made.joint("RightLeg")
    assert np.allclose((mirrored[knee] - mirrored[left]) * (-1, 1, 1), places[other] - places[right], atol=5e-3)
    hero.retarget(made, rest=made)
    hero.retarget(made, rest="none")
    hero.retarget(made, rest=3)
    for wrong in (dict(rest="no such"), dict(rest=10**6), dict(rest=-1), dict(speed=0), dict(speed=float("nan")),
                  dict(begin=-1), dict(begin=1e9), dict(frames_per_second=1e300), dict(contact_ground_share=2)):
        with pytest.raises((sinew.UsageError, sinew.BadInputError)):
            hero.retarget(made, **wrong)
    with pytest.raises(TypeError):
        hero.retarget(made, sped=2)
    with pytest.raises(TypeError):
        hero.retarget(made, rest=1.5)


def test_what_would_follow_what(made):
    report = made.explain_retarget(made)
    assert report["mapped_share"] == 1 and report["linked_joints"] > 20
    thigh = next(part for part in report["parts"] if part["joint"] == "LeftUpLeg")
    assert (thigh["source"], thigh["reason"]) == ("LeftUpLeg", "name") and thigh["name"]
    horse = sinew.builtin_skeleton("quadruped")
    assert made.explain_retarget(horse)["parts"]  # also of what is refused:
    with pytest.raises(sinew.BadInputError):
        made.copy().retarget(horse)


def test_rig_takes_what_its_steps_take(made):
    hero = sinew.Character(made.vertices, made.faces)
    hero.rig(made, method="proximity", fit={"held": {0: made.joint_positions[0]}}, bind={"max_influences": 1},
             retarget={"motions": [0], "speed": 2})
    assert np.allclose(hero.joint_positions[0], made.joint_positions[0]) and hero.weight_values.shape[1] == 1
    assert len(hero.motions) == 1 and hero.motions[0].duration < 0.6 * made.motions[0].duration
    bare = sinew.Character(made.vertices, made.faces)
    bare.rig(method="proximity", generate={"small_parts": False, "density": 0.5})
    assert len(bare.joint_names) < len(made.joint_names) and bare.has_weights
    for wrong in (dict(fit={"no_such": 1}), dict(bind={"no_such": 1}), dict(retarget={"no_such": 1}),
                  dict(generate={"no_such": 1})):
        with pytest.raises(TypeError):
            hero.rig(made, **wrong)


def test_without_a_skeleton_the_mesh_gets_what_suits_it(made):
    person = sinew.Character(made.vertices, made.faces)
    assert person.fit()["skeleton"] == "adult"
    report = person.rig()
    assert report["skeleton"] == "adult" and person.has_weights and not person.motions
    tube = np.array([[x, np.cos(a), np.sin(a)] for x in np.linspace(0, 1, 9) for a in np.arange(0, 6.2, 0.5)])
    ring = np.array([[i, i + 1, i + 13] for i in range(len(tube) - 14)])
    with pytest.raises(sinew.BadInputError):
        sinew.Character(tube, ring).fit()


def test_a_fit_explains_itself(bare, made):
    report = bare.fit(made, explain=True, up="y", forward=(0, 0, 2), kind="person")
    assert report["readings"] and report["readings"][0]["objection"] is not None
    assert report.picture[1:4] == b"PNG" and 0 < report["confidence"] <= 1
    again = sinew.Character(made.vertices, made.faces)
    with pytest.raises(sinew.BadInputError) as refused:
        again.fit(made, explain=True, least_confidence=1)
    assert refused.value.option == "least_confidence" and refused.value.report["readings"]
    assert again.joint_names == []
    assert again.fit(made).picture is None
    for wrong in (dict(up="w"), dict(up=(0, 1)), dict(kind="fish"), dict(up=(0, 1, 0), forward=(0, 1, 0))):
        with pytest.raises(sinew.UsageError):
            again.fit(made, **wrong)


def test_what_a_mesh_shows(bare):
    body = bare.recognise()
    assert body["kind"] == "person" and body["probability"] == max(body["probabilities"].values())
    assert sum(body["probabilities"].values()) == pytest.approx(1)
    assert body["up"] == pytest.approx([0, 1, 0])
    assert bare.recognise(up="y", forward="z")["forward_probability"] == 1
    with pytest.raises(sinew.UsageError):
        bare.recognise(cells=7)
    with pytest.raises(sinew.Error):
        sinew.builtin_skeleton().recognise()


def test_a_skeleton_for_any_creature(bare):
    report = bare.generate_skeleton(density=0.5, small_parts=False)
    assert report["joints"] and len(bare.joint_names) == len(report["joints"])
    bare.bind("heat")
    assert np.allclose(bare.dense_weights().sum(axis=1), 1)
    names = bare.joint_names
    bare.rig(generate=True)
    assert set(names) & set(bare.joint_names)
    with pytest.raises(sinew.UsageError):
        bare.generate_skeleton(density=99)


def test_rules_for_parts(person, made):
    part = made.parts[-1]
    head = person.joint("Head")
    person.bind("heat", parts=[("rigid", part.name, "Head")])
    assert np.all(person.dense_weights()[part.vertices, head] == 1)
    person.weights = made.weights
    person.bind("proximity", parts=[sinew.PartRule("keep", part.name)])
    assert np.allclose(person.dense_weights()[part.vertices], made.dense_weights()[part.vertices], atol=1e-6)
    for wrong in ([("glue", "x")], [("rigid", "No such part")], [("rigid", part.name, "No such joint")]):
        with pytest.raises(sinew.UsageError):
            person.bind("heat", parts=wrong)


def test_a_character_may_be_its_own_source(person):
    names = person.joint_names
    person.fit(person)
    assert person.joint_names == names and not person.has_weights


def test_levels_evaluation_and_pictures(person, made, tmp_path):
    levels = person.lods(3)
    assert [len(level.vertices) for level in levels] == sorted((len(level.vertices) for level in levels), reverse=True)
    person.bind()
    measured = person.evaluate(made, random_poses=2, poses_per_motion=1, intersection_poses=0)
    assert measured["metrics"]["ade"] > 0 and measured.vertex_errors.shape == (len(made.vertices),)
    picture = person.render("weights", joint="LeftArm", width=40, height=30, samples=1)
    assert picture.shape == (30, 40, 4) and picture.dtype == np.uint8 and len(np.unique(picture)) > 2
    person.save_picture(tmp_path / "person.png", width=40, height=30, samples=1, motion=0)
    assert (tmp_path / "person.png").read_bytes()[1:4] == b"PNG"


def test_painting(person):
    arm = person.joint("LeftArm")
    vertices = np.nonzero(person.dense_weights()[:, arm] > 0.5)[0][:20]
    painter = sinew.Painter(person)
    painter.brush(person, person.joint("Hips"), vertices, target=1.0)
    pins = painter.pins
    painter.solve(person)
    assert np.allclose(person.dense_weights()[vertices, person.joint("Hips")], 1, atol=1e-5)
    painter.free()
    assert painter.pins != pins
    painter.pins = pins
    assert painter.pins == pins
    with pytest.raises(sinew.UsageError):
        painter.brush(person, arm, vertices, [0.5])


def test_the_method_auto_learns_a_style(made, person, bare):
    bodies = [made] + [sinew.make_character(kind, vertices=1000) for kind in ("child", "toon")]
    quick = dict(vertices=50, epochs=2, hidden=8, members=2)
    stages = []
    trained = sinew.train_weights(bodies, progress=lambda fraction, stage: stages.append(fraction), **quick)
    assert trained["characters"] == 3 and trained["unseen_ratio"] > 0 and trained.networks
    assert stages == sorted(stages) and stages[-1] > 0.5
    assert sinew.train_weights(iter(bodies), groups=["a", "b", "b"], **quick).networks != trained.networks
    person.bind("heat")
    heat = person.weight_values
    person.bind(networks=trained.networks)
    assert not np.array_equal(person.weight_values, heat)
    fewer = sinew.train_weights([*bodies, bare], apart=[made], **quick)
    assert fewer["characters"] == 2
    assert [warning.code for warning in fewer.warnings] == ["kept-apart", "kept-apart"]
    for arguments, code in ((dict(characters=bodies[:1]), "training-data-invalid"),
                            (dict(characters=bodies, groups=["a"]), "argument-invalid"),
                            (dict(characters=bodies, epochs=0), "option-out-of-range")):
        with pytest.raises(sinew.Error) as raised:
            sinew.train_weights(**arguments)
        assert raised.value.code == code


def test_correctives_are_trained_and_played(tmp_path):
    rings, sides = 41, 12
    angles = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    ring = np.stack([np.zeros(sides), 0.4 * np.cos(angles), 0.4 * np.sin(angles)], axis=1)
    vertices = np.concatenate([ring + [4 * i / (rings - 1), 0, 0] for i in range(rings)] + [[[0, 0, 0], [4, 0, 0]]])
    faces = []
    for i in range(rings - 1):
        for j in range(sides):
            a, b = i * sides + j, i * sides + (j + 1) % sides
            faces += [[a, b, b + sides], [a, b + sides, a + sides]]
    for j in range(sides):
        faces += [[rings * sides, (j + 1) % sides, j],
                  [rings * sides + 1, (rings - 1) * sides + j, (rings - 1) * sides + (j + 1) % sides]]
    arm = sinew.Character(vertices, faces)
    arm.set_skeleton(["upper", "lower", "end"], [-1, 0, 1], [(0, 0, 0), (2, 0, 0), (4, 0, 0)], ["joint", "joint", "end"])
    arm.bind()
    report = arm.simulate(tmp_path / "shapes", poses=24, cells=300, run_length=4)
    assert report["made"] > 10
    correctives = sinew.train_correctives(tmp_path / "shapes", levels=1, regions=4)
    assert correctives.report["runs"] and correctives.level_count == 1
    correctives.save(tmp_path / "arm.sinewc")
    again = sinew.Correctives.load(tmp_path / "arm.sinewc")
    pose = arm.rest_pose()
    pose.rotations[1] = [0, 0, np.sin(0.5), np.cos(0.5)]
    corrected = again.posed_vertices(arm, pose)
    assert corrected.shape == (len(vertices), 3)
    difference = np.abs(corrected - arm.posed_vertices(pose)).max()
    assert 0 < difference < 0.5
    with pytest.raises(sinew.BadInputError):
        sinew.Correctives(b"rubbish")


def test_progress_that_raises_cancels(person):
    before = person.weight_values

    class Enough(Exception):
        pass

    def stop(fraction, stage):
        raise Enough(stage)

    with pytest.raises(Enough):
        person.bind(progress=stop)
    assert np.array_equal(person.weight_values, before)
    person.bind()


def test_a_bar_like_those_of_tqdm(person, capfd):
    class Bar:
        total, n, words = None, 0, ()

        def update(self, step):
            self.n += step

        def set_description(self, text, refresh=True):
            self.words += (text,)

    bar = Bar()
    person.bind(progress=bar)
    assert bar.total == 100 and bar.n == 100 and bar.words
    person.bind(progress=bar)  # a bar that is full stays full
    assert bar.n == 100

    class Stop(Exception):
        pass

    def stop(self, step):
        raise Stop

    bar.total, Bar.update = 200, stop
    with pytest.raises(Stop):
        person.bind(progress=bar)
    assert bar.n == 100  # a bar of what was stopped does not end whole
    person.bind(progress=True)
    assert "%" in capfd.readouterr().err
    with pytest.raises(TypeError):
        person.bind(progress=3)


def test_ctrl_c_cancels_and_leaves_the_character_as_it_was():
    script = textwrap.dedent("""
        import os, signal, sinew
        signal.signal(signal.SIGINT, signal.default_int_handler)  # shells turn it off for what runs in the background
        hero = sinew.make_character(vertices=2000)
        before = hero.weight_values.copy()
        seen = []
        def press(fraction, stage):
            seen.append(fraction)
            if len(seen) == 2:
                os.kill(os.getpid(), signal.SIGINT)
        try:
            hero.bind(progress=press)
            print("not interrupted")
        except KeyboardInterrupt:
            print("interrupted", len(seen) < 6, (hero.weight_values == before).all())
        signal.raise_signal(signal.SIGINT)
    """)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "interrupted True True\n", done.stdout + done.stderr
    assert "KeyboardInterrupt" in done.stderr  # the handler that was there before is there again


def test_two_threads_work_at_the_same_time_with_the_same_bits(person):
    copies = [person.copy(), person.copy()]
    both = threading.Barrier(2, timeout=60)
    met = threading.local()

    def wait_once(fraction, stage):
        if not getattr(met, "done", False):
            met.done = True
            both.wait()  # only passes when both calls are under way

    threads = [threading.Thread(target=copy.bind, kwargs=dict(method="heat", progress=wait_once)) for copy in copies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not both.broken
    person.bind("heat")
    for copy in copies:
        assert np.array_equal(copy.weight_values, person.weight_values)


def test_a_whole_bind_runs_while_another_is_held_up(person):
    held, other = person.copy(), person.copy()
    done = threading.Event()
    waited = []

    def hold(fraction, stage):
        if not waited:
            thread.start()
            waited.append(done.wait(timeout=60))

    thread = threading.Thread(target=lambda: (other.bind("heat"), done.set()))
    held.bind("heat", progress=hold)
    thread.join()
    assert waited == [True] and np.array_equal(held.weight_values, other.weight_values)


def test_a_character_that_is_being_changed_is_refused(person):
    codes = []

    def use_it(fraction, stage):
        try:
            person.bind()
        except sinew.Error as error:
            codes.append(error.code)

    person.bind(progress=use_it)
    assert set(codes) == {"not-now"}


def test_the_interpreter_is_free_during_work(person):
    """A call without progress blocks no other thread: it ends although the other thread never lets go for long."""
    ended = threading.Event()
    thread = threading.Thread(target=lambda: (person.bind(), ended.set()))
    thread.start()
    turns = 0
    while not ended.is_set():
        turns += 1
    thread.join()
    assert turns > 0


def test_signals_are_left_alone_in_other_threads(person):
    handler = signal.getsignal(signal.SIGINT)
    thread = threading.Thread(target=person.bind)
    thread.start()
    thread.join()
    assert signal.getsignal(signal.SIGINT) is handler
