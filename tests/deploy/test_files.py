"""What deploy/ ships is valid by the tools that read it, and its files say the same thing."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from traitlets.config.loader import PyFileConfigLoader

from tests.deploy.harness import TEMPLATE, Nginx
from widgets.serving.options import DEFAULT_DRAIN

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
UNIT = DEPLOY / "systemd" / "ligne-de-vue@.service"
CONTAINERS = sorted(DEPLOY.rglob("Containerfile"))
MANIFESTS = sorted(path for path in (DEPLOY / "kubernetes").glob("*.yaml") if path.name != "kustomization.yaml")
#: Releases of Kubernetes that the manifests must suit: old ones still run, and the newest that the schemas know.
RELEASES = ("1.27", "1.31", "1.36")
#: What `systemd-analyze security` may say at most (0 to 10); Debian's own services are near 9.
EXPOSED = 2.0


def manifests() -> list[dict[str, Any]]:
    """Every object of the Kubernetes manifests."""
    return [one for path in MANIFESTS for one in yaml.safe_load_all(path.read_text(encoding="utf-8"))]


def objects(kind: str) -> list[dict[str, Any]]:
    """Objects of a kind."""
    return [one for one in manifests() if one["kind"] == kind]


def server_pod() -> dict[str, Any]:
    """The specification of a server's pod."""
    (deployment,) = objects("Deployment")
    return dict(deployment["spec"]["template"]["spec"])


def compose() -> dict[str, Any]:
    """The compose file."""
    return dict(yaml.safe_load((DEPLOY / "compose" / "compose.yaml").read_text(encoding="utf-8")))


def seconds(text: str) -> int:
    """A duration as compose writes it.

    >>> seconds("1h5m")
    3900
    """
    parts = re.findall(r"(\d+)([hms])", text)
    return sum(int(number) * {"h": 3600, "m": 60, "s": 1}[unit] for number, unit in parts)


def tool(name: str) -> str:
    """A tool of requirements-deploy.lock; `make test` installs them."""
    path = shutil.which(name, path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    assert path, f"{name} manque : {sys.executable} scripts/deployment.py"
    return path


# -- valid, by the tools that read them -----------------------------------------------------------------------------------


@pytest.mark.parametrize("release", RELEASES)
def test_manifests_are_what_kubernetes_takes(release: str) -> None:
    kubernetes_validate = pytest.importorskip("kubernetes_validate", reason="python scripts/deployment.py")
    assert len(manifests()) > 10
    for one in manifests():
        kubernetes_validate.validate(one, release, strict=True)


def test_a_manifest_with_a_fault_is_refused() -> None:
    kubernetes_validate = pytest.importorskip("kubernetes_validate", reason="python scripts/deployment.py")
    (deployment,) = objects("Deployment")
    deployment["spec"]["replica"] = 2
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(deployment, RELEASES[0], strict=True)


def test_kustomization_names_every_manifest() -> None:
    named = yaml.safe_load((DEPLOY / "kubernetes" / "kustomization.yaml").read_text(encoding="utf-8"))["resources"]
    assert sorted(named) == [path.name for path in MANIFESTS]


def test_the_compose_file_is_what_compose_takes(tmp_path: Path) -> None:
    # The merge keys are YAML's own, written out before the schema is asked.
    plain = tmp_path / "compose.json"
    plain.write_text(json.dumps(compose()), encoding="utf-8")
    command = [tool("check-jsonschema"), "--builtin-schema", "vendor.compose-spec", str(plain)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(sys.platform != "linux" or os.uname().machine != "x86_64", reason="hadolint is packaged for these")
@pytest.mark.parametrize("path", CONTAINERS, ids=lambda path: path.parent.name)
def test_container_files_pass_hadolint(path: Path) -> None:
    done = subprocess.run([tool("hadolint"), str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_the_unit_is_what_systemd_takes_and_is_closed(tmp_path: Path) -> None:
    # A machine that checks has neither the program nor the user.
    text = UNIT.read_text(encoding="utf-8").replace("/opt/ligne-de-vue/.venv/bin/ldv", "/bin/true")
    copy = tmp_path / "ligne-de-vue@8866.service"
    copy.write_text(re.sub(r"^(User|Group)=.*\n", "", text, flags=re.MULTILINE), encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", str(copy)], capture_output=True, text=True)
    assert "ligne-de-vue" not in done.stderr, done.stderr
    asked = ["systemd-analyze", "security", "--offline=yes", f"--threshold={EXPOSED * 10:.0f}", str(UNIT)]
    done = subprocess.run(asked, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-400:] + done.stderr


def test_nginx_takes_the_filled_template(nginx_program: str, tmp_path: Path) -> None:
    nginx = Nginx(nginx_program, tmp_path)
    nginx.lead_to("127.0.0.1:8866", "127.0.0.1:8867")
    said = nginx.checked()
    assert said.startswith("0\n"), said
    assert "[warn]" not in said, said


def test_nginx_takes_its_main_file(nginx_program: str, tmp_path: Path) -> None:
    text = (DEPLOY / "nginx" / "nginx.conf").read_text(encoding="utf-8")
    text = text.replace("user nginx;", "").replace("/run/nginx.pid", str(tmp_path / "pid"))
    text = text.replace("/etc/nginx/conf.d/*.conf", str(tmp_path / "conf.d" / "*.conf")).replace(
        "/etc/nginx/mime.types", "mime.types"
    )
    (tmp_path / "mime.types").write_text("types { text/html html; }\n", encoding="utf-8")
    (tmp_path / "nginx.conf").write_text(text, encoding="utf-8")
    command = [
        nginx_program,
        "-t",
        "-p",
        str(tmp_path),
        "-c",
        str(tmp_path / "nginx.conf"),
        "-e",
        str(tmp_path / "log"),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("trial", ["0", "1"])
def test_the_hub_s_configuration_is_read(trial: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LDV_HUB_ESSAI", trial)
    loader = PyFileConfigLoader("jupyterhub_config.py", path=str(DEPLOY / "jupyterhub"))
    config = loader.load_config()
    assert config.Spawner.default_url == "/lab/tree/accueil.ipynb"
    assert config.JupyterHub.spawner_class == {"0": "docker", "1": "simple"}[trial]
    assert ("dummy" in str(config.JupyterHub.authenticator_class)) == (
        trial == "1"
    )  # a trial's password is no school's
    if trial == "1":
        assert (Path(config.Spawner.notebook_dir) / "accueil.ipynb").is_file()


# -- they say the same thing ----------------------------------------------------------------------------------------------


def test_whoever_ends_a_server_waits_longer_than_it_gives_its_readers() -> None:
    unit = UNIT.read_text(encoding="utf-8")
    settings = (DEPLOY / "systemd" / "reglages.exemple").read_text(encoding="utf-8")
    given = int(re.search(r"^LDV_DRAIN=(\d+)$", settings, re.MULTILINE)[1])
    patience = int(re.search(r"^TimeoutStopSec=(\d+)$", unit, re.MULTILINE)[1])
    assert patience > given + 30
    assert "KillSignal=SIGUSR1" in unit
    (config,) = objects("ConfigMap")
    assert server_pod()["terminationGracePeriodSeconds"] > int(config["data"]["LDV_DRAIN"]) + 30
    for name in ("serveur1", "serveur2"):
        server = compose()["services"][name]
        assert seconds(server["stop_grace_period"]) > int(server["environment"]["LDV_DRAIN"]) + 30
    assert "STOPSIGNAL SIGUSR1" in (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    assert given == DEFAULT_DRAIN


def test_compose_gives_the_template_every_name_and_every_server() -> None:
    services = compose()["services"]
    given = services["nginx"]["environment"]
    names = set(re.findall(r"\$\{(\w+)\}", TEMPLATE.read_text(encoding="utf-8")))
    assert names <= set(given)
    servers = [
        one["networks"]["interieur"]["ipv4_address"] for name, one in services.items() if name.startswith("serveur")
    ]
    for which in ("LDV_SERVEURS", "LDV_SERVEURS_SANS_COMPTE"):
        assert re.findall(r"server ([\d.]+):8866", given[which]) == servers
    proxy = services["nginx"]["networks"]["interieur"]["ipv4_address"]
    assert {services[f"serveur{n}"]["environment"]["LDV_TRUSTED_PROXIES"] for n in (1, 2)} == {proxy}


def test_probes_ask_under_the_public_name() -> None:
    """A server answers under no other; a probe of the pod's address would be refused (403)."""
    (config,) = objects("ConfigMap")
    (ingress,) = objects("Ingress")
    (container,) = server_pod()["containers"]
    for probe, path in (("startupProbe", "/sante"), ("livenessProbe", "/sante"), ("readinessProbe", "/sante/pret")):
        asked = container[probe]["httpGet"]
        (header,) = asked["httpHeaders"]
        assert asked["path"] == path
        assert config["data"]["LDV_PUBLIC_URL"] == f"https://{header['value']}"
        assert ingress["spec"]["rules"][0]["host"] == header["value"]


def test_containers_run_as_nobody_in_particular_and_write_nowhere_else() -> None:
    for one in (*objects("Deployment"), *objects("StatefulSet")):
        pod = one["spec"]["template"]["spec"]
        assert pod["securityContext"]["runAsNonRoot"]
        assert not pod["automountServiceAccountToken"]
        for container in pod["containers"]:
            assert container["securityContext"]["readOnlyRootFilesystem"]
            assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
            assert "memory" in container["resources"]["limits"]
    for name in ("serveur1", "serveur2"):
        assert compose()["services"][name]["read_only"]
        assert compose()["services"][name]["user"] == "10001:10001"


def test_no_secret_is_in_a_file_that_is_shipped() -> None:
    shipped = [path for path in DEPLOY.rglob("*") if path.is_file()]
    assert len(shipped) > 15
    for path in shipped:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"^\s*-?\s*(POSTGRES_PASSWORD|LDV_DATABASE_URL)[:=]", text, re.MULTILINE), path
        assert "BEGIN PRIVATE KEY" not in text
