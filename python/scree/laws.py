"""Contact laws, one contact at a time: u = W r + q in the frame (normal, first, second tangent).

    u  velocity of B relative to A    [m/s]
    r  impulse on B                   [N s]
    W  symmetric positive definite    [1/kg]
    q  u at r = 0                     [m/s]
"""

from scree._scree.laws import NAMES, STATUS, all_solutions, solve

__all__ = ["NAMES", "STATUS", "all_solutions", "solve"]
