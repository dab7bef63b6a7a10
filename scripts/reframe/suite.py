"""The guide's job scripts as ReFrame tests: each is submitted as it stands, and must print what its page shows.

Needs ReFrame 4. What is tested stands in cases.json beside this file; `guide reframe` wrote both.
"""

import glob
import json
import os
import re
import shutil
import tarfile

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.builtins import parameter, run_after, run_before, sanity_function

HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(HERE, "cases.json"), encoding="utf-8") as file:
    SUITE = json.load(file)


class Submitted(rfm.RunOnlyRegressionTest):
    """A job script that reaches the scheduler byte for byte, in place of the one that ReFrame would write."""

    sourcesdir = None
    valid_prog_environs = ["builtin"]
    keep_files = ["*.out"]
    maintainers = [SUITE["guide"]]

    def adopt(self, case):
        self.descr = case["about"]
        self.valid_systems = ["{}:{}".format(SUITE["system"], case["partition"])]
        self.tags = set(case["tags"])
        self.executable = case["script"]  # ReFrame wants one; it names what is run

    @run_before("run")
    def submit_as_it_stands(self):
        script = os.path.join(HERE, "jobs", self.case["script"])
        self.job.prepare = lambda *_, **__: shutil.copyfile(script, self.job.script_filename)

    @run_before("sanity")
    def collect(self):
        """What the script's own --output= has become: ReFrame looks in the file that it would have named."""
        there = os.path.join(self.stagedir, self.job.stdout)
        with open(there, "a", encoding="utf-8") as whole:
            for name in sorted(set(glob.glob(os.path.join(self.stagedir, "*.out"))) - {there}):
                with open(name, encoding="utf-8", errors="replace") as part:
                    whole.write(part.read())
        with open(os.path.join(self.stagedir, self.job.stderr), "a", encoding="utf-8"):
            pass  # ReFrame reads it when a test fails

    def ended_well(self):
        """Not known where the scheduler keeps no accounts; then a missing line of output has to tell."""
        return [] if self.job.exitcode is None else [sn.assert_eq(self.job.exitcode, 0)]


@rfm.simple_test
class GuideJob(Submitted):
    """One job script: the guide's, or its one_gpu.sh with another of its programs in the place that is marked so."""

    job_script = parameter(sorted(SUITE["jobs"]))

    @run_after("init")
    def adopt_case(self):
        self.case = SUITE["jobs"][self.job_script]
        self.adopt(self.case)

    @run_before("run")
    def bring_programs(self):
        programs = os.path.join(HERE, "programs")
        for name in os.listdir(programs):
            shutil.copy(os.path.join(programs, name), self.stagedir)
        with tarfile.open(os.path.join(self.stagedir, "data.tar"), "w") as packed:  # what stage_data.sh unpacks
            packed.add(programs, "data")

    @sanity_function
    def prints_what_the_page_shows(self):
        lines = [sn.assert_found(pattern, self.stdout) for pattern in self.case["prints"]]
        return sn.all(self.ended_well() + lines)

    @run_before("performance")
    def hold_against_the_limits(self):
        limits = self.case["limits"]
        bounds = {label: (each["limit"], each["lower"], 0.0, each["unit"]) for label, each in limits.items()}
        self.reference = {"*": bounds}
        self.perf_variables = {
            label: sn.make_performance_function(
                sn.max(sn.extractall(each["pattern"], self.stdout, 1, float)), each["unit"]
            )
            for label, each in limits.items()
        }


if SUITE["validate"]:

    @rfm.simple_test
    class GuideValidate(Submitted):
        """validate.sh: every program at its full size, then the record that the guide shows."""

        @run_after("init")
        def adopt_case(self):
            self.case = SUITE["validate"]
            self.adopt(self.case)
            packages = os.path.join(SUITE["checkout"], "packages")
            self.skip_if(not os.path.isdir(packages), "first: " + self.case["first"])

        @run_before("run")
        def stand_in_the_checkout(self):
            """The script runs in a checkout, and writes its record there."""
            for name in self.case["needs"]:
                os.symlink(os.path.join(SUITE["checkout"], name), os.path.join(self.stagedir, name))

        @sanity_function
        def has_a_record(self):
            return sn.all(self.ended_well() + [sn.assert_found(self.case["prints"], self.stdout)])

        @run_before("performance")
        def hold_against_the_limits(self):
            """Each case of the record: what part of the limit it reached."""
            self.perf_variables = {
                label: sn.make_performance_function(sn.defer(part), "of the limit")
                for label, part in self.measured().items()
            }
            bounds = (1, self.case["lower"], 0.0, "of the limit")
            self.reference = {"*": dict.fromkeys(self.perf_variables, bounds)}

        def measured(self):
            """Label -> part of the limit, of what this job has measured."""
            with open(os.path.join(self.stagedir, self.job.stdout), encoding="utf-8") as said:
                path = re.search(self.case["prints"], said.read())[1]
            with open(os.path.join(SUITE["checkout"], path), encoding="utf-8") as record:
                cases = json.load(record)["cases"]
            return {
                "{} {}, {}".format(case["program"], case["label"], case["size"]): case["fraction"] for case in cases
            }
