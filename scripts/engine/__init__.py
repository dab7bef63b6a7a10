"""The engine judges, writes, moves and explains job scripts. It is JavaScript (js/), since a page runs it too; Python
hosts it (host.py) and hands it what it knows (data/).
"""
