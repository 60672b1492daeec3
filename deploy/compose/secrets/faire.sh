#!/bin/sh
# Fait les secrets qui manquent, à côté de ce fichier : mot de passe de la base, son adresse, ce qui signe les témoins.
# Ne remplace jamais rien. Le certificat (certificat.pem, certificat.key) est à vous de le poser.
set -eu
cd "$(dirname "$0")"
umask 077
random() { head -c 33 /dev/urandom | base64 | tr -d '\n/+='; }
[ -e base_mot_de_passe ] || random > base_mot_de_passe
[ -e base ] || printf 'postgresql://ldv:%s@172.28.66.3/ldv' "$(cat base_mot_de_passe)" > base
[ -e temoins ] || { random; random; } > temoins
# Les serveurs les lisent sous le numéro 10001 ; sans droit de les donner, ils restent à vous (Docker pour ordinateur s’en charge).
chown 10001 base temoins 2>/dev/null || echo "Donnez base et temoins au numéro 10001 : sudo chown 10001 base temoins" >&2
