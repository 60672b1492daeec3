"""What the command line and the environment say about how to serve, checked once and in French."""

from __future__ import annotations

import argparse
import os
import re
import socket
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

from widgets.serving.limits import Limits
from widgets.serving.networks import Network, read_networks

PACKAGE = Path(__file__).resolve().parent
#: Root that holds `voila/templates/ldv`, as Jupyter's search path wants it.
JUPYTER_DATA = PACKAGE / "jupyter"

DEFAULT_PORT = 8866
DEFAULT_POOL = 4
DEFAULT_IDLE = 900
DEFAULT_REST = 2_700
DEFAULT_AHEAD = 20
DEFAULT_MAX_KERNELS = 60
DEFAULT_CONNECTIONS = 4_000
DEFAULT_DRAIN = 3600
SHORTEST_SECRET = 32
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
        rest: Seconds without anything done after which a connected page gives its place back; 0: never.
        ahead: Seconds without a page after which first pictures and grounds are prepared; 0: none that nobody asked for.
        drain: Seconds left to those present when the server is asked to leave.
        secret: What signs cookies; every server of a site has the same one. Empty: a new one at each start.
        limits: What one visitor may take, and what is kept for classes and teachers.
        proxies: Networks of the proxies whose word on a visitor's address counts.
        metrics: Who may read `/metrics`, as `LDV_METRICS` says it.
        access_log: Whether each request is logged (without who, or what for).
        connections: Connections at most, those of open pages to their kernels not counted.
        frames: Sites that may show our pages within theirs.
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
    rest: int = DEFAULT_REST
    ahead: int = DEFAULT_AHEAD
    drain: int = DEFAULT_DRAIN
    secret: bytes = field(default=b"", repr=False)
    limits: Limits = field(default_factory=lambda: Limits.of(DEFAULT_MAX_KERNELS))
    proxies: tuple[Network, ...] = ()
    metrics: str = ""
    access_log: bool = False
    connections: int = DEFAULT_CONNECTIONS
    frames: tuple[str, ...] = ()

    @property
    def secure(self) -> bool:
        """Whether readers come by https."""
        return self.origin.startswith("https://")


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


def read_secret(path: str) -> bytes:
    """What the servers of one site share to sign cookies.

    Args:
        path: A file, or "" when there is none.

    Raises:
        BadOption: when it cannot be read, or is too short to be a secret.

    >>> read_secret("")
    b''
    """
    if not path:
        return b""
    try:
        secret = Path(path).read_bytes().strip()
    except OSError as error:
        raise BadOption(f"LDV_SECRET_FILE : « {path} » ne se lit pas ({error.strerror}).") from error
    if len(secret) < SHORTEST_SECRET:
        raise BadOption(f"LDV_SECRET_FILE : « {path} » est trop court ({SHORTEST_SECRET} caractères au moins).")
    return secret


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


#: Said at start of a server with a public address that trusts no proxy.
ONE_ADDRESS = (
    "Si un mandataire est devant ce serveur, nommez-le par LDV_TRUSTED_PROXIES (127.0.0.1, par exemple) : sinon tous "
    "les visiteurs ont son adresse, et se partagent ce qu’une seule peut prendre."
)
#: Variables of the limits: name, what it sets, bounds.
LIMITS = {
    "LDV_VISITOR_PLACES": ("visitor_places", 1, 2000),
    "LDV_ADDRESS_PLACES": ("address_places", 1, 2000),
    "LDV_VISITOR_OPENINGS": ("visitor_openings", 1, 100_000),
    "LDV_ADDRESS_OPENINGS": ("address_openings", 1, 100_000),
    "LDV_CLASS_PLACES": ("class_places", 0, 2000),
    "LDV_TEACHER_PLACES": ("teacher_places", 0, 2000),
    "LDV_QUEUE": ("tickets", 0, 10_000),
    "LDV_UNOPENED": ("unopened", 5, 3600),
    "LDV_PREPARED": ("prepared", 0, 24 * 3600),
}


def read_limits(env: Mapping[str, str], places: int) -> Limits:
    """What one visitor may take, in a house of so many places.

    Raises:
        BadOption: when a variable of it cannot be used.

    >>> read_limits({"LDV_VISITOR_PLACES": "3"}, 60).visitor_places
    3
    """
    given = {field: whole(env[name], name, low, high) for name, (field, low, high) in LIMITS.items() if env.get(name)}
    return replace(Limits.of(places), **given)


def read_proxies(text: str) -> tuple[Network, ...]:
    """The proxies that `LDV_TRUSTED_PROXIES` names.

    Raises:
        BadOption: when one is neither an address nor a network.
    """
    try:
        return read_networks(text)
    except ValueError as error:
        raise BadOption(
            f"LDV_TRUSTED_PROXIES vaut « {text} » : donnez des adresses séparées par des virgules (127.0.0.1, 10.0.0.0/8)."
        ) from error


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


def public_origin(url: str, name: str = "--public-url") -> tuple[str, str]:
    """Host name and origin of a public address.

    Args:
        url: the address.
        name: of the option that gives it.

    Raises:
        BadOption: when it is not `http(s)://nom[:port]` with nothing after but a slash.

    >>> public_origin("https://cours.exemple.fr/")
    ('cours.exemple.fr', 'https://cours.exemple.fr')
    """
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises on a port that is no number
    except ValueError as error:
        raise BadOption(f"{name} : « {url} » n’est pas une adresse.") from error
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username:
        raise BadOption(f"{name} : « {url} » doit commencer par http:// ou https:// et nommer un hôte.")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise BadOption(f"{name} : « {url} » ne doit rien porter après le nom et le port.")
    return parts.hostname.lower(), f"{parts.scheme}://{parts.netloc.lower()}"


def read_frames(text: str, origin: str) -> tuple[str, ...]:
    """Sites that may show our pages within theirs, as a school's platform does.

    Args:
        text: `LDV_FRAMES`, addresses set apart by commas or spaces.
        origin: ours.

    Raises:
        BadOption: one is no https address, or ours is none: no browser would give the page its cookies there.

    >>> read_frames("https://ecole.exemple.fr", "https://cours.exemple.fr")
    ('https://ecole.exemple.fr',)
    """
    sites = tuple(public_origin(site, "LDV_FRAMES")[1] for site in text.replace(",", " ").split())
    if sites and not origin.startswith("https://"):
        raise BadOption("LDV_FRAMES demande une adresse publique en https (LDV_PUBLIC_URL).")
    if strange := [site for site in sites if not re.fullmatch(r"https?://[\w.-]+(:\d+)?", site)]:
        raise BadOption(f"LDV_FRAMES : « {strange[0]} » ne nomme pas un site.")
    if plain := [site for site in sites if not site.startswith("https://")]:
        raise BadOption(f"LDV_FRAMES : « {plain[0]} » doit commencer par https://.")
    return sites


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
        env: Environment (`LDV_POOL`, `LDV_IDLE`, `LDV_REST`, `LDV_AHEAD`, `LDV_MAX_KERNELS`, `LDV_CONNECTIONS`,
            `LDV_DRAIN`, `LDV_SECRET_FILE`, `LDV_PUBLIC_URL`).

    Raises:
        BadOption: when a value cannot be used.
        SystemExit: on `--help` or an unknown option.
    """
    parser = argparse.ArgumentParser(
        prog="ldv serve",
        description="Sert la page de Ligne de Vue.",
        epilog="Variables : LDV_POOL, noyaux préchauffés en tout (4 ; 0 : aucun ; ou cahier.ipynb:30,…) ; "
        "LDV_MAX_KERNELS, lecteurs à la fois (60) ; LDV_IDLE, secondes avant de fermer un noyau abandonné (900) ; "
        "LDV_CONNECTIONS, connexions à la fois (4000, dont un quart au plus pour une adresse) ; "
        "LDV_DATA, dossier de ce qui est gardé (le dossier de données de l’utilisateur) ; "
        "LDV_REST, secondes sans rien faire avant qu’une page ouverte laisse sa place (2700 ; 0 : jamais) ; "
        "LDV_AHEAD, secondes sans visite après lesquelles un serveur dessine d’avance (20 ; 0 : jamais) ; "
        "LDV_DRAIN, secondes laissées aux présents après SIGUSR1 (3600) ; "
        "LDV_FRAMES, sites en https qui peuvent montrer nos pages dans les leurs (aucun) ; "
        "LDV_SECRET_FILE, fichier du secret que partagent les serveurs d’un même site ; "
        "LDV_TRUSTED_PROXIES, mandataires dont on croit l’adresse du visiteur ; LDV_VISITOR_PLACES, pages ouvertes par "
        "navigateur (8) ; LDV_ADDRESS_PLACES, par adresse (deux tiers des places) ; LDV_VISITOR_OPENINGS et "
        "LDV_ADDRESS_OPENINGS, ouvertures par minute (30 ; quatre par place) ; LDV_CLASS_PLACES et LDV_TEACHER_PLACES, "
        "places gardées aux classes ouvertes (la moitié) et aux enseignants (2) ; LDV_PREPARED, secondes pendant "
        "lesquelles les places préparées d’une classe l’attendent (600 ; 0 : aucune) ; LDV_QUEUE, lecteurs qui "
        "peuvent attendre leur tour ; LDV_UNOPENED, secondes avant de reprendre la place d’une page jamais ouverte (20) ; "
        "LDV_BACKUPS, dossier des sauvegardes d’avant migration (sauvegardes, parmi les données ; non : aucune) ; "
        "LDV_METRICS, qui lit /metrics (cette machine ; non, des adresses ou jeton:FICHIER) ; LDV_ACCESS_LOG=1, une ligne par requête, sans adresse ; "
        "LDV_DATABASE_URL, base PostgreSQL à la place (ou LDV_DATABASE_URL_FILE, un fichier qui la contient) ; LDV_KERNEL_MEMORY, Mio qu’un noyau "
        "peut prendre (256) ; LDV_KERNEL_CPU, secondes de calcul sans pause (60) ; LDV_KERNEL_UIDS, utilisateurs des "
        "noyaux (premier-dernier, ou 0 ; en root) ; LDV_KEEP_SESSIONS et LDV_KEEP_LEARNERS, jours de conservation (90 et 365).",
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
    max_kernels = whole(env.get("LDV_MAX_KERNELS") or str(DEFAULT_MAX_KERNELS), "LDV_MAX_KERNELS", 1, 2000)
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
        rest=whole(env.get("LDV_REST") or str(DEFAULT_REST), "LDV_REST", 0, 7 * 24 * 3600),
        ahead=whole(env.get("LDV_AHEAD") or str(DEFAULT_AHEAD), "LDV_AHEAD", 0, 24 * 3600),
        secret=read_secret(env.get("LDV_SECRET_FILE", "")),
        drain=whole(env.get("LDV_DRAIN") or str(DEFAULT_DRAIN), "LDV_DRAIN", 0, 7 * 24 * 3600),
        max_kernels=max_kernels,
        limits=read_limits(env, max_kernels),
        proxies=read_proxies(env.get("LDV_TRUSTED_PROXIES", "")),
        metrics=env.get("LDV_METRICS", ""),
        access_log=env.get("LDV_ACCESS_LOG", "") == "1",
        frames=read_frames(env.get("LDV_FRAMES", ""), origin),
        connections=whole(env.get("LDV_CONNECTIONS") or str(DEFAULT_CONNECTIONS), "LDV_CONNECTIONS", 64, 50_000),
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
