# SPDX-License-Identifier: Apache-2.0
"""Calls modules that are held in many ways, and compares the recorded paths. The argument is the folder of hooks."""

import concurrent.futures
import copy
import dataclasses
import importlib.util
import pathlib
import sys
import types
import unittest
import warnings
import weakref

import torch
from torch import nn

FOLDER = pathlib.Path(sys.argv.pop(1))
X = torch.ones(2, 2)


def load(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Observer:
    """Replaces the functions of the stub."""

    def __init__(self):
        self.texts, self.entered, self.converted, self.parameters = [], [], [], {}

    def intern(self, text):
        self.texts.append(text.decode())
        return len(self.texts) - 1

    def enter(self, name):
        self._add(self.entered, name)

    def enter_conversion(self, name):
        self._add(self.converted, name)

    def _add(self, paths, name):
        if self.texts[name] not in paths:
            paths.append(self.texts[name])

    def leave(self):
        pass

    def name_parameter(self, tensor, name):
        self.parameters[tensor] = name.decode()


OBSERVER = Observer()
NAMES = load("ampprof_names").ModuleNames(OBSERVER, load("ampprof_holders"))
CALL = nn.Module.__call__


def watched_call(self, *args, **kwargs):
    NAMES.enter(self)
    try:
        return CALL(self, *args, **kwargs)
    finally:
        NAMES.leave()


nn.Module.__call__ = watched_call


def layer():
    return nn.Linear(2, 2)


def net():
    return nn.Sequential(layer())


class Lit(nn.Module):
    """Has no forward()."""

    def __init__(self):
        super().__init__()
        self.generator, self.discriminator = net(), net()

    def training_step(self):
        generator = self.generator
        return self.discriminator(generator(X))


class Trainer:
    def __init__(self, model):
        self.model = model

    def fit(self):
        self.model.training_step()


class TwoNets:
    def __init__(self):
        self.actor, self.critic = net(), net()

    def run(self):
        self.critic(self.actor(X))


class Average:
    def __init__(self, model):
        self.module = copy.deepcopy(model)


class AverageModule(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.online_model, self.ema_model = model, copy.deepcopy(model)

    def forward(self, x):
        return self.ema_model(x)


class Hidden(nn.Module):
    """Holds modules that it does not register."""

    def __init__(self):
        super().__init__()
        self.blocks, self.last = [layer(), layer()], layer()

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return nn.Tanh()(self.last(x))


class CalledWhileMade(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = net()
        self.features(X)
        self.fc = layer()

    def forward(self, x):
        return self.fc(self.features(x))


class PathsOfModules(unittest.TestCase):
    def setUp(self):
        NAMES.forget()
        OBSERVER.entered.clear()
        OBSERVER.converted.clear()

    def expect(self, *paths):
        self.assertEqual(OBSERVER.entered, list(paths))

    # Tests of roots that are called.

    def test_the_first_root_has_no_name(self):
        model = net()
        model(X)
        self.expect("", "0")

    def test_other_roots_have_the_names_of_their_variables(self):
        netG, netD, loss = net(), net(), nn.MSELoss()
        all_of_them = [netG, netD, loss]
        loss(netD(netG(X)), X)
        self.expect("", "0", "netD", "netD.0", "loss")
        self.assertEqual(len(all_of_them), 3)

    def test_a_copy_has_a_name_of_its_own(self):
        model = net()
        ema, helper = copy.deepcopy(model), Average(model)

        def step(m):
            m(X)

        step(model)
        step(ema)
        step(helper.module)
        self.expect("", "0", "ema", "ema.0", "helper.module", "helper.module.0")

    def test_a_wrapper_leaves_the_model_its_paths(self):
        for wrap in (nn.DataParallel, AverageModule):
            self.setUp()
            model = net()
            wrapped = wrap(model)
            model(X)
            self.expect("", "0")
            wrapped(X)
            self.assertIn("wrapped", OBSERVER.entered)

    def test_a_compiled_module_has_no_step_of_its_own(self):
        model = nn.Sequential(net(), layer())
        compiled = torch.compile(model, backend="eager")
        NAMES.enter(compiled)
        NAMES.enter(model[0][0])
        self.expect("", "0.0")

    def test_a_model_that_is_made_again_keeps_its_name(self):
        for _ in range(3):
            model, loss = net(), nn.MSELoss()
            loss(model(X), X)
            nn.L1Loss()(model(X), X)
        self.expect("", "0", "loss", "L1Loss")

    def test_a_living_namesake_has_a_number(self):
        def make():
            model = net()
            model(X)
            return model

        first, second, third = make(), [make()], (make(),)
        self.expect("", "0", "model", "model.0", "model2", "model2.0")

    # Tests of modules whose holder is not called.

    def test_containers_name_their_items(self):
        parts = {"left": layer(), "right": layer()}
        for holder in (nn.ModuleDict(parts), parts):
            self.setUp()
            holder["right"](X)
            holder["left"](X)
            self.expect("right", "left")

    def test_a_loop_over_a_container_keeps_its_names(self):
        for holder in (nn.ModuleList([layer(), layer()]), [layer(), layer()], (layer(), layer()), nn.Sequential(layer(), layer())):
            self.setUp()
            for item in holder:
                item(X)
            self.expect("0", "1")

    def test_a_module_without_forward_is_a_root(self):
        Trainer(Lit()).fit()
        self.expect("generator", "generator.0", "discriminator", "discriminator.0")

    def test_parameters_have_the_paths_of_their_modules(self):
        model = Lit()
        model.training_step()
        self.assertEqual(OBSERVER.parameters[model.discriminator[0].weight._cdata], "discriminator.0.weight")

    def test_attributes_of_objects_are_as_variables(self):
        @dataclasses.dataclass(slots=True)
        class Nets:
            actor: nn.Module
            critic: nn.Module

        nets = Nets(net(), net())
        named = types.SimpleNamespace(actor=net(), critic=net())
        for run in (TwoNets().run, lambda: nets.critic(nets.actor(X)), lambda: named.critic(named.actor(X))):
            self.setUp()
            run()
            self.expect("", "0", "critic", "critic.0")

    def test_modules_that_are_not_registered_are_below_their_holder(self):
        model = Hidden()
        model(X)
        model(X)
        self.expect("", "blocks.0", "blocks.1", "last", "Tanh")

    def test_a_part_that_is_called_while_its_holder_is_made(self):
        model = CalledWhileMade()
        model(X)
        self.expect("features", "features.0", "", "fc")

    def test_threads_see_what_the_main_thread_holds(self):
        parts = nn.ModuleDict({"left": layer(), "right": layer()})
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            pool.submit(parts["right"], X).result()
            list(pool.map(lambda module: module(X), parts.values()))
        self.expect("right", "left")

    # Tests of effects that the program must not notice.

    def test_a_search_keeps_nothing_alive(self):
        def run():
            model, value = net(), layer()
            gone = weakref.ref(value)
            model(X)
            del value
            return gone()

        self.assertIsNone(run())

    def test_a_search_leaves_locals_as_it_was(self):
        def run():
            seen = locals()
            model = net()
            model(X)
            return "model" in seen

        self.assertFalse(run())

    def test_a_search_calls_nothing_of_the_programs(self):
        class Proxy:
            def __getattribute__(self, name):
                raise AssertionError(name)

        class Items(dict):
            def items(self):
                raise AssertionError("items")

        class Described:
            @property
            def model(self):
                raise AssertionError("model")

        proxy, items, described = Proxy(), Items(a=1), Described()
        model = net()
        model(X)
        other = net()
        other(X)
        self.expect("", "0", "other", "other.0")
        del proxy, items, described

    def test_conversions_are_named_only_where_the_module_is(self):
        model = net()
        self.assertFalse(NAMES.enter_if_known(model))
        model(X)
        self.assertTrue(NAMES.enter_if_known(model[0]))
        self.assertEqual(OBSERVER.converted, ["0"])


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    unittest.main()
