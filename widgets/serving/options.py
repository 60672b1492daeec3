"""What the command line and the environment say about how to serve, checked once and in French."""

from __future__ import annotations

import argparse
import os
import socket
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

PACKAGE = Path(__file__).resolve().parent
#: Root that holds `voila/templates/ldv`, as Jupyter's search path wants it.
JUPYTER_DATA = PACKAGE / "jupyter"

DEFAULT_PORT = 8866
DEFAULT_POOL = 4
DEFAULT_IDLE = 900
DEFAULT_MAX_KERNELS = 60
LOOPBACK_NAMES = frozenset({"127.0.0.1", "localhost", "::1"})
WILDCARDS = frozenset({"0.0.0.0", "::", "*"})


class BadOption(Exception):
    """An option that cannot be used; its text is one French line for the reader."""


@dataclass(frozen=True)
class Options:
    """How to serve, after every check.

    Args:
        host: Address to listen on.
        port: TCP port, 1 to 65535.
        hosts: Names accepted in `Host`, in lower case and without port, besides the loopback's.
        origin: Origin of the public address (`https://exemple.fr`), or "" when there is none.
        address: What the reader types in a browser, with its closing slash.
        notebooks: Directory of the notebooks.
        pool: Pre-heated kernels at most, in total.
        reserved: Notebooks that keep their own pre-heated kernels, with how many.
        idle: Seconds after which an abandoned kernel is ended.
        max_kernels: Kernels of readers at most.
    """

    notebooks: Path
    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    hosts: frozenset[str] = frozenset()
    origin: str = ""
    address: str = f"http://127.0.0.1:{DEFAULT_PORT}/"
    pool: int = DEFAULT_POOL
    reserved: Mapping[str, int] = field(default_factory=dict)
    idle: int = DEFAULT_IDLE
    max_kernels: int = DEFAULT_MAX_KERNELS


def whole(text: str, name: str, low: int, high: int) -> int:
    """A whole number between two bounds.

    Raises:
        BadOption: when it is not one.

    >>> whole("4", "LDV_POOL", 0, 64)
    4
    """
    try:
        value = int(text)
    except ValueError:
        value = low - 1
    if not low <= value <= high:
        raise BadOption(f"{name} vaut « {text} » : donnez un nombre entier de {low} à {high}.")
    return value


def parse_pool(text: str) -> tuple[int, dict[str, int]]:
    """What `LDV_POOL` says: a total, or notebooks with how many kernels each.

    Returns:
        The total, and the notebooks that keep theirs (empty: the pool follows the readers).

    Raises:
        BadOption: when it says neither.

    >>> parse_pool("4")
    (4, {})
    >>> parse_pool("accueil.ipynb:1, combat_commander/04-tir.ipynb:30")
    (31, {'accueil.ipynb': 1, 'combat_commander/04-tir.ipynb': 30})
    """
    if ":" not in text:
        return whole(text.strip(), "LDV_POOL", 0, 200), {}
    reserved: dict[str, int] = {}
    for part in text.split(","):
        name, _, count = part.strip().rpartition(":")
        if not name.endswith(".ipynb"):
            raise BadOption(f"LDV_POOL : « {part.strip()} » n’est pas de la forme cahier.ipynb:nombre.")
        reserved[name] = whole(count, "LDV_POOL", 0, 200)
    return sum(reserved.values()), reserved


def lan_address() -> str:
    """This machine's address on its local network (nothing is sent).

    Raises:
        BadOption: when it has none.
    """
    for target in ("10.255.255.255", "192.0.2.1"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((target, 9))
                address = str(probe.getsockname()[0])
            except OSError:
                continue
        if not address.startswith(("127.", "0.")):
            return address
    raise BadOption(
        "Cette machine n’a pas d’adresse sur un réseau local : donnez-en une avec --host, ou l’adresse publique "
        "avec --public-url."
    )


def public_origin(url: str) -> tuple[str, str]:
    """Host name and origin of a public address.

    Raises:
        BadOption: when it is not `http(s)://nom[:port]` with nothing after but a slash.

    >>> public_origin("https://cours.exemple.fr/")
    ('cours.exemple.fr', 'https://cours.exemple.fr')
    """
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises on a port that is no number
    except ValueError as error:
        raise BadOption(f"--public-url : « {url} » n’est pas une adresse.") from error
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username:
        raise BadOption(f"--public-url : « {url} » doit commencer par http:// ou https:// et nommer un hôte.")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise BadOption(f"--public-url : « {url} » ne doit rien porter après le nom et le port.")
    return parts.hostname.lower(), f"{parts.scheme}://{parts.netloc.lower()}"


def default_notebooks() -> Path:
    """The notebooks of this copy: beside the package in a checkout, inside it once installed.

    Raises:
        BadOption: when there are none.
    """
    widgets = PACKAGE.parent
    for place in (widgets.parent / "notebooks", widgets / "_notebooks"):
        if place.is_dir():
            return place
    raise BadOption("Les cahiers du cours sont introuvables : donnez leur dossier avec --notebooks.")


def read(argv: Sequence[str], env: Mapping[str, str]) -> Options:
    """Options of this run, from the command line and the environment.

    Args:
        argv: Command line without the program's name.
        env: Environment (`LDV_POOL`, `LDV_IDLE`, `LDV_MAX_KERNELS`, `LDV_PUBLIC_URL`).

    Raises:
        BadOption: when a value cannot be used.
        SystemExit: on `--help` or an unknown option.
    """
    parser = argparse.ArgumentParser(
        prog="ldv serve",
        description="Sert la page de Ligne de Vue.",
        epilog="Variables : LDV_POOL, noyaux préchauffés en tout (4 ; 0 : aucun ; ou cahier.ipynb:30,…) ; "
        "LDV_MAX_KERNELS, lecteurs à la fois (60) ; LDV_IDLE, secondes avant de fermer un noyau abandonné (900) ; "
        "LDV_DATA, dossier de ce qui est gardé (le dossier de données de l’utilisateur) ; LDV_DATABASE_URL, base "
        "PostgreSQL à la place ; LDV_KEEP_SESSIONS et LDV_KEEP_LEARNERS, jours de conservation (90 et 365).",
    )
    parser.add_argument("--host", default="127.0.0.1", help="adresse d’écoute (0.0.0.0 : le réseau local)")
    parser.add_argument("--port", default=str(DEFAULT_PORT), help="port (8866)")
    parser.add_argument(
        "--public-url",
        default=env.get("LDV_PUBLIC_URL", ""),
        help="adresse publique, derrière un mandataire (ou LDV_PUBLIC_URL)",
    )
    parser.add_argument("--notebooks", default="", help="dossier des cahiers")
    given = parser.parse_args(argv)

    port = whole(given.port, "--port", 1, 65535)
    host = given.host.strip().strip("[]").lower() or "127.0.0.1"
    hosts, origin = set[str](), ""
    if host in LOOPBACK_NAMES:
        shown = host
    elif host in WILDCARDS:
        host = "::" if host == "::" else "0.0.0.0"
        shown = "" if given.public_url else lan_address()
    else:
        shown = host
    if shown and shown not in LOOPBACK_NAMES:
        hosts.add(shown)
    address = f"http://[{shown}]:{port}/" if ":" in shown else f"http://{shown}:{port}/"
    if given.public_url:
        name, origin = public_origin(given.public_url)
        hosts.add(name)
        address = origin + "/"

    notebooks = Path(given.notebooks).expanduser().resolve() if given.notebooks else default_notebooks()
    if not notebooks.is_dir():
        raise BadOption(f"Le dossier de cahiers « {notebooks} » n’existe pas.")
    pool, reserved = parse_pool(env.get("LDV_POOL") or str(DEFAULT_POOL))
    return Options(
        notebooks=notebooks,
        host=host,
        port=port,
        hosts=frozenset(hosts),
        origin=origin,
        address=address,
        pool=pool,
        reserved=reserved,
        idle=whole(env.get("LDV_IDLE") or str(DEFAULT_IDLE), "LDV_IDLE", 5, 7 * 24 * 3600),
        max_kernels=whole(env.get("LDV_MAX_KERNELS") or str(DEFAULT_MAX_KERNELS), "LDV_MAX_KERNELS", 1, 2000),
    )


def user_state() -> Path:
    """Where Jupyter may write when nobody said where: a directory of ours, in the user's state or cache."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    place = base / "ligne-de-vue"
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError:
        place = Path(tempfile.mkdtemp(prefix="ligne-de-vue-"))
    return place


def prepare_environment(env: dict[str, str], host: str) -> None:
    """Set, where unset, what Jupyter, IPython and the kernels read from the environment.

    Args:
        env: Environment to complete, in place (`os.environ`).
        host: Address of listening; kernels call back there.
    """
    wanted = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "IPYTHONDIR": "ipython",
    }
    if missing := [name for name in wanted if not env.get(name)]:
        state = user_state()
        for name in missing:
            env[name] = str(state / wanted[name])
    env.setdefault("JUPYTER_PREFER_ENV_PATH", "1")
    env["JUPYTER_PATH"] = os.pathsep.join(filter(None, (str(JUPYTER_DATA), env.get("JUPYTER_PATH"))))
    # A kernel starts in its notebook's directory: it must find `widgets` and `tutor` where we found them.
    checkout = PACKAGE.parent.parent
    if "site-packages" not in checkout.parts:
        env["PYTHONPATH"] = os.pathsep.join(filter(None, (str(checkout), env.get("PYTHONPATH"))))
    env["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
    # Each reader's kernel would compile our modules and parse our content again: what the first one makes is kept.
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    if host not in LOOPBACK_NAMES | WILDCARDS:
        env["VOILA_APP_IP"] = f"[{host}]" if ":" in host else host
