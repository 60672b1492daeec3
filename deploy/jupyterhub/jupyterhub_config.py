"""Ligne de Vue chez une école qui a un JupyterHub : le même paquet, comme serveur d’un seul élève (voir ../README.md).

Chaque élève ouvre les cahiers du cours dans JupyterLab, avec ses identifiants de l’école. Il peut y programmer : ne donnez
donc à ces serveurs aucun secret du site commun. Rien n’y est gardé ; la progression et la classe en direct sont l’affaire
du site commun (nginx et « ldv serve »), que la page d’accueil du hub peut montrer d’un lien.

Essayer sur une machine :  LDV_HUB_ESSAI=1 jupyterhub -f deploy/jupyterhub/jupyterhub_config.py
"""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

c = get_config()  # noqa: F821 - given by JupyterHub

# Le paquet dit où sont ses cahiers : dans l’image, à côté de « widgets » ; dans un dépôt, en haut.
widgets = Path(find_spec("widgets").submodule_search_locations[0])
notebooks = next(place for place in (widgets / "_notebooks", widgets.parent / "notebooks") if place.is_dir())

c.JupyterHub.bind_url = os.environ.get("LDV_HUB_ADRESSE", "http://127.0.0.1:8000")
c.JupyterHub.template_vars = {"announcement": "Ligne de Vue : ouvrez un livret, commencez par la première leçon."}

c.Spawner.default_url = "/lab/tree/accueil.ipynb"
c.Spawner.notebook_dir = str(notebooks)
c.Spawner.start_timeout = c.Spawner.http_timeout = 120
# Ce que « make lab » règle aussi : ni nouvelles, ni mises à jour.
c.Spawner.args = [
    "--LabApp.news_url=",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
]
# Un élève : un JupyterLab (150 Mio), et 70 Mio par cahier ouvert.
c.Spawner.mem_limit = "1G"
c.Spawner.cpu_limit = 1.0
c.JupyterHub.active_server_limit = 60
c.JupyterHub.shutdown_on_logout = True

if os.environ.get("LDV_HUB_ESSAI") == "1":
    # Un essai sur cette machine seule : un mot de passe pour tous, des processus ordinaires. Jamais pour une école.
    c.JupyterHub.authenticator_class = "dummy"
    c.DummyAuthenticator.password = os.environ.get("LDV_HUB_MOT_DE_PASSE", "essai")
    c.Authenticator.allow_all = True
    c.JupyterHub.spawner_class = "simple"
    c.Spawner.cmd = [sys.executable, "-m", "jupyterhub.singleuser"]
else:
    # L’image de l’élève : deploy/jupyterhub/Containerfile. Les identifiants sont ceux de l’école : ajoutez ici ce que votre
    # hub emploie déjà (LDAP, OAuth…). Il faut le paquet dockerspawner à côté de jupyterhub.
    c.JupyterHub.spawner_class = "docker"
    c.DockerSpawner.image = os.environ.get("LDV_HUB_IMAGE", "ligne-de-vue-eleve")
    c.DockerSpawner.remove = True
    c.DockerSpawner.notebook_dir = ""
    c.Spawner.notebook_dir = os.environ.get(
        "LDV_HUB_CAHIERS", "/opt/ldv/lib/python3.13/site-packages/widgets/_notebooks"
    )
    c.Spawner.cmd = ["jupyterhub-singleuser"]
    c.DockerSpawner.extra_host_config = {"cap_drop": ["ALL"], "security_opt": ["no-new-privileges:true"]}
