"""Check and fix: findings as objects with arrays, pages, and repairs that leave the rest alone."""
import gc
import subprocess
import sys

import numpy as np
import pytest

import sinew


@pytest.fixture
def broken(person):
    """Its belly follows a hand."""
    dense = person.dense_weights().copy()
    near = np.linalg.norm(person.vertices - person.joint_positions[person.joint("Spine")], axis=1) < 0.2
    dense[near] = 0
    dense[near, person.joint("LeftHand")] = 1
    person.weights = dense
    return person


def test_findings_are_objects_with_arrays(broken):
    report = broken.check()
    assert len(report) == len(report.findings) > 0 and list(report) == report.findings
    worst = report.findings[0]
    assert worst.kind in sinew.finding_kinds() and worst.joint in broken.joint_names
    assert worst.vertices.dtype == np.uint32 and np.all(np.diff(worst.vertices.astype(int)) > 0)
    assert worst.vertices.max() < len(broken.vertices) and worst.severity > 0.02
    assert worst.what and worst.remedy and worst.kind in repr(worst)
    assert worst.pose in report.poses and abs(np.linalg.norm(worst.pose.axis) - 1) < 1e-9
    assert report.metrics["findings"] == len(report) and report.metrics["worst"] >= worst.severity - 1e-12
    assert report.vertices > 0 and report.warnings == []


def test_the_pose_shows_what_was_found(broken, made):
    report = broken.check()
    worst = report.findings[0]
    off = np.linalg.norm(broken.posed_vertices(report.pose(worst)) - made.posed_vertices(report.pose(worst)), axis=1)
    assert off[worst.vertices].mean() > 5 * np.delete(off, worst.vertices).mean()
    assert len(report.pose(0)) == len(report.pose(worst.pose)) == len(broken.joint_names)
    for wrong in (-1, len(report.poses)):
        with pytest.raises(sinew.UsageError):
            report.pose(wrong)


def test_reports_outlive_the_character(broken):
    report = broken.check()
    vertices = report.findings[0].vertices
    before = vertices.copy()
    broken.bind("proximity")
    assert report.picture(0, width=40, height=20, samples=1)[1:4] == b"PNG"
    del broken, report
    gc.collect()
    assert np.array_equal(vertices, before)


def test_pages_and_pictures(broken, tmp_path):
    report = broken.check()
    report.save_page(tmp_path / "check.html", width=40, height=20, samples=1)
    page = (tmp_path / "check.html").read_text(encoding="utf-8")
    assert page == report.page(width=40, height=20, samples=1) and page.lower().startswith("<!doctype html")
    assert report.picture(report.findings[0], width=40, height=20, samples=1)[1:4] == b"PNG"
    with pytest.raises(sinew.UsageError):
        report.picture(len(report))


def test_the_same_as_the_command(broken, tmp_path):
    import json
    broken.save(tmp_path / "broken.glb")
    run = subprocess.run([sys.executable, "-m", "sinew", "check", "broken.glb", "--json"], cwd=tmp_path, check=True,
                         capture_output=True, text=True)
    told = json.loads(run.stdout)
    report = sinew.load(tmp_path / "broken.glb").check()
    assert [finding.what for finding in report] == [finding["what"] for finding in told["findings"]]
    assert report.metrics == told["metrics"]


def test_fix_repairs_and_says_what_it_did(broken, made):
    before = broken.weight_values
    report = broken.fix()
    assert len(report.after) == len(broken.check()) < len(report.before)
    repair = report.repairs[0]
    assert repair.outcome in ("repaired", "improved", "left-alone") and repair.how
    assert {one.outcome for one in report.repairs} & {"repaired", "improved"}
    changed = np.unique(np.concatenate([one.vertices for one in report.repairs]))
    same = np.setdiff1d(np.arange(len(before)), changed)
    assert np.array_equal(broken.weight_values[same][:, :before.shape[1]], before[same])
    assert all(isinstance(line, str) for line in report.beyond_weights)
    assert repair.finding.pose is None or repair.finding.pose in report.before.poses


def test_a_good_skin_has_nothing_to_fix(made):
    hero = made.copy()
    weights = hero.weight_values
    if len(hero.check()) == 0:
        assert hero.fix().repairs == []
        assert np.array_equal(hero.weight_values, weights)


def test_some_kinds_only(broken):
    assert len(broken.check(kinds="influences")) == 0
    assert broken.fix(kinds=["influences"]).repairs == []
    for arguments, code in ((dict(kinds=["no such"]), "choice-unknown"), (dict(tolerance=2), "option-out-of-range")):
        with pytest.raises(sinew.Error) as raised:
            broken.check(**arguments)
        assert raised.value.code == code
    with pytest.raises(sinew.Error):
        broken.fix(max_repairs=0)


def test_what_cannot_be_checked(bare, made):
    with pytest.raises(sinew.BadInputError):
        bare.check()
    with pytest.raises(sinew.BadInputError):
        bare.range_of_motion()
    poses = made.range_of_motion()
    assert poses.findings == [] and any("elbow" in pose.name for pose in poses.poses)


def test_stopping_changes_nothing(broken):
    before = broken.weight_values

    class Enough(Exception):
        pass

    def stop(fraction, stage):
        raise Enough

    with pytest.raises(Enough):
        broken.fix(progress=stop)
    assert np.array_equal(broken.weight_values, before)
