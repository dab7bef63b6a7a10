"""The job verifier of a Grid Engine twin: what the operator enforces by patches of its own, as a client JSV.

A client JSV, named in the cell's sge_request, because Grid Engine 8.1.9 does not ask a server's under `qsub -w v`.
"""

import json

from scripts.facts import Cluster, Rule
from scripts.twin.grid_engine.cell import whole_node

# In Perl, because Grid Engine brings a library for it, and the one for bash takes a quarter of a second.
JSV = r"""#!/usr/bin/perl
# Written from the facts about {name}.
use strict;
use warnings;
no warnings qw(uninitialized);
use lib "$ENV{{SGE_ROOT}}/util/resources/jsv";
use JSV qw(:DEFAULT);

my $RULES = {rules};
my %UNIT = (K => 2**10, M => 2**20, G => 2**30, T => 2**40, k => 1e3, m => 1e6, g => 1e9, t => 1e12);

sub bytes {{
    my ($number, $unit) = $_[0] =~ /^([\d.]+)([KMGTkmgt]?)$/;
    return $number * ($UNIT{{$unit}} || 1);
}}

jsv_on_start(sub {{}});

jsv_on_verify(sub {{
    my %job = jsv_get_param_hash();
    my %asked = ref $job{{l_hard}} ? %{{$job{{l_hard}}}} : ();
    if ($RULES->{{time}} && !defined $asked{{h_rt}}) {{
        return jsv_reject($RULES->{{time}});
    }}
    for my $other (grep {{ defined $asked{{$_}} }} sort keys %{{$RULES->{{synonyms}}}}) {{
        my $name = $RULES->{{synonyms}}{{$other}};
        $asked{{$name}} = $asked{{$other}};
        jsv_sub_add_param("l_hard", $name, $asked{{$other}});
        jsv_sub_del_param("l_hard", $other);
    }}
    for my $name (grep {{ defined $asked{{$_}} }} sort keys %{{$RULES->{{bundles}}}}) {{
        my ($gpus, $bundle) = ($asked{{$name}}, $RULES->{{bundles}}{{$name}});
        my ($cores, $memory) = ($gpus * $bundle->{{cores}}, $bundle->{{memory_per_core}});
        if ($RULES->{{max_gpus}} && $gpus > $RULES->{{max_gpus}}) {{
            return jsv_reject("At most $RULES->{{max_gpus}} GPUs in one job");
        }}
        if ($job{{pe_max}} > $cores) {{
            return jsv_reject("$gpus GPU(s) bring $cores cores; more come only with more GPUs");
        }}
        if (defined $asked{{h_vmem}} && $asked{{h_vmem}} !~ /^[\d.]+[KMGTkmgt]?$/) {{  # or it would be written over
            return jsv_reject("attribute \"h_vmem\" is not a memory value");
        }}
        if (defined $asked{{h_vmem}} && bytes($asked{{h_vmem}}) > $memory) {{
            my $text = "%d GPU(s) bring %g GB of memory for each core; more comes only with more GPUs";
            return jsv_reject(sprintf($text, $gpus, $memory / 2**30));
        }}
        if (!$job{{pe_name}}) {{  # the request for GPUs brings their part of the node
            jsv_set_param("pe_name", "smp");
            jsv_set_param("pe_min", $cores);
            jsv_set_param("pe_max", $cores);
            jsv_sub_add_param("l_hard", "h_vmem", $memory);
        }}
        return jsv_correct({did});
    }}
    if (my ($whole) = grep {{ $RULES->{{resources}}{{$_}} && defined $asked{{$_}} }} qw(nodes np)) {{
        my ($threads, $cores) = ($asked{{tpp}} || 1, $RULES->{{cores}});
        my $processes = $asked{{ppn}} || int($cores / $threads);
        if (!$processes || $processes * $threads > $cores) {{
            return jsv_reject("A node has $cores cores: fewer processes (ppn) or threads (tpp)");
        }}
        my $nodes = $whole eq "nodes" ? $asked{{nodes}} : int(($asked{{np}} + $processes - 1) / $processes);
        jsv_set_param("pe_name", "whole");
        jsv_set_param("pe_min", $nodes * $cores);
        jsv_set_param("pe_max", $nodes * $cores);
    }}
    jsv_sub_del_param("l_hard", $_) for grep {{ defined $asked{{$_}} }} sort keys %{{$RULES->{{resources}}}};
    if ($RULES->{{node_type}} && !defined $asked{{node_type}}) {{
        jsv_sub_add_param("l_hard", "node_type", $RULES->{{node_type}});
    }}
    return jsv_correct({did});
}});

jsv_main();
"""


def _perl(value: object) -> str:
    """A Python value as a Perl literal: as JSON, but for the colons, `null` and what Perl would expand in a string."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_perl(key)} => {_perl(item)}" for key, item in value.items()) + "}"
    if value is None:
        return "undef"
    return json.dumps(value, ensure_ascii=False).replace("$", r"\$").replace("@", r"\@")


def rules(cluster: Cluster) -> dict:
    """What the verifier refuses and adds. Memory in bytes for each core."""
    time = cluster.policy.time
    shared = [gpu for gpu in cluster.gpus.values() if gpu.fair_share and gpu.fair_share.memory]
    return {
        "time": (time.refusal or "A time limit is required: -l h_rt=hh:mm:ss") if time.rule is Rule.REQUIRED else None,
        "max_gpus": max((p.max_gpus or 0 for p in cluster.partitions.values()), default=0) or None,
        "cores": whole_node(cluster),
        "node_type": next(
            (name for node in cluster.node_types.values() if node.default for name in node.features), None
        ),
        "resources": {name: 1 for name in cluster.policy.resources},
        "synonyms": {name: gpu.gres for gpu in cluster.gpus.values() for name in gpu.synonyms},
        "bundles": {
            gpu.gres: {
                "cores": gpu.fair_share.cores,
                "memory_per_core": round(gpu.fair_share.memory.mib * 2**20) // gpu.fair_share.cores,
            }
            for gpu in shared
        },
    }


def policy_jsv(cluster: Cluster) -> str:
    """The verifier as a script."""
    return JSV.format(name=cluster.name, did=_perl(f"as {cluster.name} did"), rules=_perl(rules(cluster)))
