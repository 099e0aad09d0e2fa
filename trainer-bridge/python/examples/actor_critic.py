"""An actor-critic as a run's policy: domains whose losses fall fastest gain weight.

./sluice simulate --scenario system-stack --policy external --external "python actor_critic.py"
python actor_critic.py --run RUN --bootstrap HOST:PORT

The run has the policy `external`. What is learned is lost with the process, which then begins anew
with the round that it goes on from; a file of your own keeps it.
"""

from __future__ import annotations

import math

import sluice

ACTOR, CRITIC, DECAY, LEAST = 0.5, 0.3, 0.9, 0.02
losses: dict[str, float] = {}
actor: dict[str, float] = {}
critic = {"value": 0.0, "scale": 0.0}


@sluice.policy()
def mix(asked: sluice.Round) -> dict[str, float]:
    """Weights by preferences, which follow how much more than expected a domain's loss fell."""
    rewards = {name: losses.get(name, loss) - loss for name, loss in asked.losses.items()}
    losses.update(asked.losses)
    for name, reward in rewards.items():
        advantage = math.tanh((reward - critic["value"]) / (critic["scale"] + 1e-9))
        actor[name] = DECAY * actor.get(name, 0.0) + ACTOR * advantage
    for key, mean in {
        "value": sum(asked.weights[name] * reward for name, reward in rewards.items()),
        "scale": sum(abs(reward) for reward in rewards.values()) / max(len(rewards), 1),
    }.items():
        critic[key] += CRITIC * (mean - critic[key])
    chosen = {name: math.exp(actor.get(name, 0.0)) for name in asked.domains}
    return {name: LEAST + each / sum(chosen.values()) for name, each in chosen.items()}


if __name__ == "__main__":
    mix.main()
