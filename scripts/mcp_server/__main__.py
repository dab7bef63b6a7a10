"""Serve the guide's facts and its judge of job scripts to an assistant: an MCP server over standard input and output.

    claude mcp add gpu-cluster-guide -- /path/to/gpu-cluster-guide/guide mcp

Your assistant starts it. It only reads the guide's own files, and uses no shell, ssh or network.
"""

from scripts.errors import parser_of, run


def main() -> None:
    parser_of("guide mcp", __doc__).parse_args()
    from scripts.mcp_server.server import server  # here, since the SDK takes a second

    server().run("stdio")


if __name__ == "__main__":
    run(main, status=2)
