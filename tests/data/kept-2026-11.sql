BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0003');
CREATE TABLE answers (
	push_id INTEGER NOT NULL, 
	participant_id INTEGER NOT NULL, 
	answer TEXT NOT NULL, 
	ok BOOLEAN, 
	missed TEXT NOT NULL, 
	seconds DOUBLE, 
	tries INTEGER NOT NULL, 
	at DOUBLE NOT NULL, 
	CONSTRAINT pk_answers PRIMARY KEY (push_id, participant_id), 
	CONSTRAINT fk_answers_push_id FOREIGN KEY(push_id) REFERENCES pushes (id) ON DELETE CASCADE, 
	CONSTRAINT fk_answers_participant_id FOREIGN KEY(participant_id) REFERENCES participants (id) ON DELETE CASCADE
);
INSERT INTO "answers" VALUES(1,1,'"Personne"',0,'["10.3.3"]',9.0,1,1.79545775471546721459e+09);
CREATE TABLE attempts (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	learner_id INTEGER NOT NULL, 
	game VARCHAR(40) NOT NULL, 
	lesson VARCHAR(120) NOT NULL, 
	exercise VARCHAR(120) NOT NULL, 
	ok BOOLEAN NOT NULL, 
	answer TEXT NOT NULL, 
	missed TEXT NOT NULL, 
	seconds DOUBLE, 
	at DOUBLE NOT NULL, variant VARCHAR(200) DEFAULT '' NOT NULL, 
	CONSTRAINT fk_attempts_learner_id FOREIGN KEY(learner_id) REFERENCES learners (id) ON DELETE CASCADE
);
INSERT INTO "attempts" VALUES(1,1,'combat_commander','combat_commander/01-ligne-de-vue.ipynb','ldv-1',0,'"bloquée"','["10.3.3"]',12.5,1.79545774973356866838e+09,'v1');
INSERT INTO "attempts" VALUES(2,1,'combat_commander','combat_commander/01-ligne-de-vue.ipynb','ldv-1',1,'"libre"','[]',4.0,1.79545774975088453292e+09,'');
CREATE TABLE authored (
	code VARCHAR(12) NOT NULL, 
	owner_hash VARCHAR(64) NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	game VARCHAR(40) NOT NULL, 
	title VARCHAR(120) NOT NULL, 
	body TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	created DOUBLE NOT NULL, 
	changed DOUBLE NOT NULL, 
	CONSTRAINT pk_authored PRIMARY KEY (code)
);
INSERT INTO "authored" VALUES('WK7M7R2K','b6922e3182328039698122374d0b2422ea030f12eb2af08eb67bcf38a881b4c7','position','combat_commander','Mon plateau','schema: 1
position:
  schema: 1
  game: combat_commander
  id: livret-ldv
  title: Exemples de LDV du livret
  note: Reconstitué à partir des légendes des exemples du livret et d’une lecture de la carte 12 ; les exemples de LDV, de
    Tir et de Tir d’Op y donnent tous le résultat imprimé.
  provenance: déduit
  grid:
    kind: hex
    columns: [I, O]
    rows: [3, 10]
  levels:
    1: [I3, I4, I5, I9, J3, J8, J9, J10, K5, K6, K7, K8]
    2: [I8, J4, J5, J6, J7]
    3: [I6, I7]
  terrain:
    building: [J9, N9]
    orchard: [I10, J10, N6, N7, N8, O7, O8, O9]
    woods: [I3, I4, I6, I7, J3, J7, J8, K5, K6, L3, L4, L5, L8, M4, M5, M10, N3, N4, N5, O3, O4, O5, O10]
  sides:
    cliff: [H4/I4, H4/I5, H5/I6, I5/I6, J4/K4]
    wall: [M10/N9, N5/N6, N6/O6, N9/N10, N9/O10, O6/O7, O9/O10]
  ways:
    road:
      I4: [2, 4]
      I5: [1, 5]
      J3: [2, 5]
      K3: [2, 5]
      L9: [2, 4]
      L10: [1, 5]
      M3: [4, 6]
      M4: [1, 4]
      M5: [1, 4]
      M6: [1, 4]
      M7: [1, 4]
      M8: [1, 4]
      M9: [1, 5]
  markers:
    smoke: {N8: 7}
  pieces:
  - {id: herzog, kind: leader, side: axis, at: J9, name: Herzog, nation: germany, counter: germany/herzog}
  - {id: borbe, kind: leader, side: axis, at: K6, name: Borbe, nation: germany, counter: germany/borbe}
  - {id: bolter, kind: leader, side: axis, at: L6, name: Bolter, nation: germany, counter: germany/bolter}
  - {id: grein, kind: leader, side: axis, at: N6, name: Grein, nation: germany, counter: germany/grein}
  - {id: guttman, kind: leader, side: axis, at: J7, name: Guttman, nation: germany, counter: germany/guttman}
  - {id: schmidt, kind: leader, side: axis, at: M9, name: Schmidt, nation: germany, counter: germany/schmidt}
  - {id: pfeiffer, kind: leader, side: axis, at: N9, name: Pfeiffer, nation: germany, counter: germany/pfeiffer}
  - {id: benzing, kind: leader, side: axis, at: M4, name: Benzing, nation: germany, counter: germany/benzing}
  - {id: wehling, kind: leader, side: axis, at: N7, name: Wehling, nation: germany, counter: germany/wehling}
asked:
  ask: los
  with: {start: J9, end: K6}
  question: Se voient-ils ?
  answer:
    kind: choice
    choices:
    - label: Oui
      when:
        value: {visible: true}
    - label: Non
      when:
        value: {visible: false}
  hint: Suivez la droite.
',1,1.79545775467352914812e+09,1.79545775467352914812e+09);
INSERT INTO "authored" VALUES('KPSK54T5','b6922e3182328039698122374d0b2422ea030f12eb2af08eb67bcf38a881b4c7','lesson','combat_commander','Ma leçon','schema: 1
game: combat_commander
lesson:
  id: lecon-voir
  number: 1
  slug: 01-voir
  title: Voir ou ne pas voir
  minutes: 8
  teaser: Une ligne, un bois.
  rules: [''10.2'', ''10'', ''10.1'']
  blocks:
  - {kind: situation, text: Herzog cherche Borbe.}
  - text: Herzog voit-il Borbe ?
    choices:
    - label: Il le voit
      when:
        value: {visible: true}
    - label: Il ne le voit pas
      when:
        value: {visible: false}
    kind: question
    example: exemple-3
  - id: exemple-3
    title: Herzog et Borbe
    text: Reconstitué à partir des légendes des exemples du livret et d’une lecture de la carte 12 ; les exemples de LDV,
      de Tir et de Tir d’Op y donnent tous le résultat imprimé.
    rules: [''10.2'', ''10'', ''10.1'']
    position:
      schema: 1
      game: combat_commander
      id: livret-ldv
      title: Exemples de LDV du livret
      provenance: déduit
      grid:
        kind: hex
        columns: [I, O]
        rows: [3, 10]
      levels:
        1: [I3, I4, I5, I9, J3, J8, J9, J10, K5, K6, K7, K8]
        2: [I8, J4, J5, J6, J7]
        3: [I6, I7]
      terrain:
        building: [J9, N9]
        orchard: [I10, J10, N6, N7, N8, O7, O8, O9]
        woods: [I3, I4, I6, I7, J3, J7, J8, K5, K6, L3, L4, L5, L8, M4, M5, M10, N3, N4, N5, O3, O4, O5, O10]
      sides:
        cliff: [H4/I4, H4/I5, H5/I6, I5/I6, J4/K4]
        wall: [M10/N9, N5/N6, N6/O6, N9/N10, N9/O10, O6/O7, O9/O10]
      ways:
        road:
          I4: [2, 4]
          I5: [1, 5]
          J3: [2, 5]
          K3: [2, 5]
          L9: [2, 4]
          L10: [1, 5]
          M3: [4, 6]
          M4: [1, 4]
          M5: [1, 4]
          M6: [1, 4]
          M7: [1, 4]
          M8: [1, 4]
          M9: [1, 5]
      markers:
        smoke: {N8: 7}
      pieces:
      - {id: herzog, kind: leader, side: axis, at: J9, name: Herzog, nation: germany, counter: germany/herzog}
      - {id: borbe, kind: leader, side: axis, at: K6, name: Borbe, nation: germany, counter: germany/borbe}
      - {id: bolter, kind: leader, side: axis, at: L6, name: Bolter, nation: germany, counter: germany/bolter}
      - {id: grein, kind: leader, side: axis, at: N6, name: Grein, nation: germany, counter: germany/grein}
      - {id: guttman, kind: leader, side: axis, at: J7, name: Guttman, nation: germany, counter: germany/guttman}
      - {id: schmidt, kind: leader, side: axis, at: M9, name: Schmidt, nation: germany, counter: germany/schmidt}
      - {id: pfeiffer, kind: leader, side: axis, at: N9, name: Pfeiffer, nation: germany, counter: germany/pfeiffer}
      - {id: benzing, kind: leader, side: axis, at: M4, name: Benzing, nation: germany, counter: germany/benzing}
      - {id: wehling, kind: leader, side: axis, at: N7, name: Wehling, nation: germany, counter: germany/wehling}
    ask: los
    with: {start: J9, end: K6}
    kind: example
  - kind: rule
    title: Les obstacles
    sentences: [''Un obstacle bloque la vue. [[10.2]]'', Les deux bouts ne comptent pas.]
  - kind: retenir
    lines: [Un bois bloque.]
  - kind: exercises
    ids: [exercice-5]
exercises:
- id: exercice-5
  lesson: lecon-voir
  title: À vous
  rules: [''10.2'', ''10'', ''10.1'']
  position:
    schema: 1
    game: combat_commander
    id: livret-ldv
    title: Exemples de LDV du livret
    note: Reconstitué à partir des légendes des exemples du livret et d’une lecture de la carte 12 ; les exemples de LDV,
      de Tir et de Tir d’Op y donnent tous le résultat imprimé.
    provenance: déduit
    grid:
      kind: hex
      columns: [I, O]
      rows: [3, 10]
    levels:
      1: [I3, I4, I5, I9, J3, J8, J9, J10, K5, K6, K7, K8]
      2: [I8, J4, J5, J6, J7]
      3: [I6, I7]
    terrain:
      building: [J9, N9]
      orchard: [I10, J10, N6, N7, N8, O7, O8, O9]
      woods: [I3, I4, I6, I7, J3, J7, J8, K5, K6, L3, L4, L5, L8, M4, M5, M10, N3, N4, N5, O3, O4, O5, O10]
    sides:
      cliff: [H4/I4, H4/I5, H5/I6, I5/I6, J4/K4]
      wall: [M10/N9, N5/N6, N6/O6, N9/N10, N9/O10, O6/O7, O9/O10]
    ways:
      road:
        I4: [2, 4]
        I5: [1, 5]
        J3: [2, 5]
        K3: [2, 5]
        L9: [2, 4]
        L10: [1, 5]
        M3: [4, 6]
        M4: [1, 4]
        M5: [1, 4]
        M6: [1, 4]
        M7: [1, 4]
        M8: [1, 4]
        M9: [1, 5]
    markers:
      smoke: {N8: 7}
    pieces:
    - {id: herzog, kind: leader, side: axis, at: J9, name: Herzog, nation: germany, counter: germany/herzog}
    - {id: borbe, kind: leader, side: axis, at: K6, name: Borbe, nation: germany, counter: germany/borbe}
    - {id: bolter, kind: leader, side: axis, at: L6, name: Bolter, nation: germany, counter: germany/bolter}
    - {id: grein, kind: leader, side: axis, at: N6, name: Grein, nation: germany, counter: germany/grein}
    - {id: guttman, kind: leader, side: axis, at: J7, name: Guttman, nation: germany, counter: germany/guttman}
    - {id: schmidt, kind: leader, side: axis, at: M9, name: Schmidt, nation: germany, counter: germany/schmidt}
    - {id: pfeiffer, kind: leader, side: axis, at: N9, name: Pfeiffer, nation: germany, counter: germany/pfeiffer}
    - {id: benzing, kind: leader, side: axis, at: M4, name: Benzing, nation: germany, counter: germany/benzing}
    - {id: wehling, kind: leader, side: axis, at: N7, name: Wehling, nation: germany, counter: germany/wehling}
  ask: los
  with: {start: J9, end: K6}
  answer:
    kind: choice
    choices:
    - label: Oui
      when:
        value: {visible: true}
    - label: Non
      when:
        value: {visible: false}
  question: Se voient-ils ?
  hint: Suivez la droite.
  keep: {}
',1,1.79545775468074893946e+09,1.79545775468074893946e+09);
CREATE TABLE cards (
	learner_id INTEGER NOT NULL, 
	game VARCHAR(40) NOT NULL, 
	rule VARCHAR(80) NOT NULL, 
	state TEXT NOT NULL, 
	due DOUBLE NOT NULL, 
	lapses INTEGER NOT NULL, 
	reviews INTEGER NOT NULL, 
	exercise VARCHAR(120) DEFAULT '' NOT NULL, 
	last DOUBLE NOT NULL, 
	CONSTRAINT pk_cards PRIMARY KEY (learner_id, game, rule), 
	CONSTRAINT fk_cards_learner_id FOREIGN KEY(learner_id) REFERENCES learners (id) ON DELETE CASCADE
);
INSERT INTO "cards" VALUES(1,'combat_commander','10.3.3','{"card_id": 1, "state": 2, "step": null, "stability": 0.212, "difficulty": 6.4133, "due": "2026-11-24T18:15:49.733569+00:00", "last_review": "2026-11-23T18:15:49.733569+00:00"}',1.79554414973356890683e+09,1,1,'ldv-1',1.79545774973356866838e+09);
INSERT INTO "cards" VALUES(1,'combat_commander','O20.3','{"card_id": 1, "state": 2, "step": null, "stability": 2.3065, "difficulty": 2.118103970459016, "due": "2026-11-25T18:15:49.761211+00:00", "last_review": "2026-11-23T18:15:49.761211+00:00"}',1.79563054976121091845e+09,0,1,'tir-1',1.7954577497612113952e+09);
INSERT INTO "cards" VALUES(1,'asl_sk','3.2.3','{"card_id": 1, "state": 2, "step": null, "stability": 2.3065, "difficulty": 2.118103970459016, "due": "2026-11-26T18:15:49.765272+00:00", "last_review": "2026-11-23T18:15:49.765272+00:00"}',1.79571694976527166361e+09,0,1,'tir-1',1.79545774976527166364e+09);
CREATE TABLE "learners" (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	code_hash VARCHAR(64) NOT NULL, 
	made VARCHAR(36) NOT NULL, 
	created DOUBLE NOT NULL, 
	seen DOUBLE NOT NULL, 
	CONSTRAINT uq_learners_code_hash UNIQUE (code_hash)
);
INSERT INTO "learners" VALUES(1,'15cd739466abbc04db9f8158a712b3d9809613b9edfa4b5dc23ec129754ab9cd','8d602015-8942-4b61-9a4d-9a94e381f721',1.79545774970033240316e+09,1.79545774970033240316e+09);
CREATE TABLE links (
	code VARCHAR(12) NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	target TEXT NOT NULL, 
	created DOUBLE NOT NULL, 
	used DOUBLE NOT NULL, 
	CONSTRAINT pk_links PRIMARY KEY (code)
);
INSERT INTO "links" VALUES('8SF66C7S','position','/voila/render/bac-a-sable.ipynb?position=x',1.79545775468528199191e+09,1.79545775468528199191e+09);
CREATE TABLE mistakes (
	learner_id INTEGER NOT NULL, 
	game VARCHAR(40) NOT NULL, 
	rule VARCHAR(80) NOT NULL, 
	count INTEGER NOT NULL, 
	last DOUBLE NOT NULL, 
	CONSTRAINT pk_mistakes PRIMARY KEY (learner_id, game, rule), 
	CONSTRAINT fk_mistakes_learner_id FOREIGN KEY(learner_id) REFERENCES learners (id) ON DELETE CASCADE
);
INSERT INTO "mistakes" VALUES(1,'combat_commander','10.3.3',1,1.79545774973356866838e+09);
CREATE TABLE participants (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	session_id INTEGER NOT NULL, 
	nickname VARCHAR(40) NOT NULL, 
	token_hash VARCHAR(64) NOT NULL, 
	joined DOUBLE NOT NULL, 
	CONSTRAINT uq_participants_token_hash UNIQUE (token_hash), 
	CONSTRAINT uq_participants_session_id_nickname UNIQUE (session_id, nickname), 
	CONSTRAINT fk_participants_session_id FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE
);
INSERT INTO "participants" VALUES(1,1,'Zoé','1061a8e5d707493d5c0b2a9fe72495e5876b5b59baaedebc1728a64fb11ad07b',1.79545775470180726048e+09);
CREATE TABLE "progress" (
	learner_id INTEGER NOT NULL, 
	lesson VARCHAR(120) NOT NULL, 
	opened DOUBLE NOT NULL, 
	finished DOUBLE, 
	place TEXT DEFAULT 'null' NOT NULL, 
	changed DOUBLE NOT NULL, 
	CONSTRAINT pk_progress PRIMARY KEY (learner_id, lesson), 
	CONSTRAINT fk_progress_learner_id FOREIGN KEY(learner_id) REFERENCES learners (id) ON DELETE CASCADE
);
INSERT INTO "progress" VALUES(1,'combat_commander/01-ligne-de-vue.ipynb',1.79545774971133804322e+09,1.79545774977148270604e+09,'{"scene": "q2"}',1.79545774977148270604e+09);
CREATE TABLE pushes (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	session_id INTEGER NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	body TEXT NOT NULL, 
	at DOUBLE NOT NULL, 
	CONSTRAINT fk_pushes_session_id FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE
);
INSERT INTO "pushes" VALUES(1,1,'question','{"form": "choice", "title": "Qui voit qui ?", "choices": ["Le tireur", "Personne"], "secret": {"right": 0, "why": ""}}',1.79545775470894217488e+09);
CREATE TABLE receipts (
	uuid VARCHAR(36) NOT NULL, 
	owner VARCHAR(40) NOT NULL, 
	result TEXT NOT NULL, 
	at DOUBLE NOT NULL, 
	CONSTRAINT pk_receipts PRIMARY KEY (uuid)
);
INSERT INTO "receipts" VALUES('b14554a5-f61e-41b1-8bae-62c46cd5663b','learner 1','{"lesson": "combat_commander/01-ligne-de-vue.ipynb"}',1.79545774971133804322e+09);
INSERT INTO "receipts" VALUES('d2f14221-705b-4d1f-aab3-87d7e616921e','learner 1','{"lesson": "combat_commander/01-ligne-de-vue.ipynb"}',1.79545774972587323181e+09);
INSERT INTO "receipts" VALUES('144d50e8-2dba-4299-992d-8e5af1c7775e','learner 1','{"attempt": 1, "due": [{"game": "combat_commander", "rule": "10.3.3", "due": 1795544149.733569}]}',1.79545774973356866838e+09);
INSERT INTO "receipts" VALUES('e4ad161f-2493-48c3-8773-b19dbc298a55','learner 1','{"attempt": 2, "due": []}',1.79545774975088453292e+09);
INSERT INTO "receipts" VALUES('ee23eede-c86e-4217-a636-81e52214e044','learner 1','{"game": "combat_commander", "rule": "O20.3", "due": 1795630549.761211}',1.7954577497612113952e+09);
INSERT INTO "receipts" VALUES('49cb6c8f-7a14-4514-8e41-7aed48d5b4f2','learner 1','{"game": "asl_sk", "rule": "3.2.3", "due": 1795716949.7652717}',1.79545774976527166364e+09);
INSERT INTO "receipts" VALUES('80db5e4f-771f-4ff9-ae33-5cdad6084e06','learner 1','{"lesson": "combat_commander/01-ligne-de-vue.ipynb"}',1.79545774977148270604e+09);
INSERT INTO "receipts" VALUES('5e57ca47-0ff7-47dd-b1f0-9b4f055e22b8','anyone','{"code": "WK7M7R2K", "version": 1}',1.79545775467352914812e+09);
INSERT INTO "receipts" VALUES('c3df81c7-06ec-4efd-a435-aa0f6e5cbbb2','anyone','{"code": "KPSK54T5", "version": 1}',1.79545775468074893946e+09);
INSERT INTO "receipts" VALUES('8c57be4c-adf4-4d29-b42c-7d58bf129687','anyone','{"code": "8SF66C7S"}',1.79545775468528199191e+09);
INSERT INTO "receipts" VALUES('0321ffa7-0dbb-49d5-bd36-d9f12234f725','teacher 1','{"session": 1, "code": "6AYR3W"}',1.79545775469321656223e+09);
INSERT INTO "receipts" VALUES('b4b00e95-df22-4091-959e-1c0fb1491752','teacher 1','{"push": 1}',1.79545775470894217488e+09);
INSERT INTO "receipts" VALUES('7da73636-bee4-4a62-b717-e50713affa76','participant','{"push": 1, "tries": 1}',1.79545775471546721459e+09);
INSERT INTO "receipts" VALUES('aef08222-9311-4b81-978c-3614edb7960e','teacher 1','{}',1.79545775472368144987e+09);
CREATE TABLE sessions (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	code VARCHAR(6) NOT NULL, 
	teacher_id INTEGER NOT NULL, 
	title VARCHAR(120) NOT NULL, 
	state TEXT NOT NULL, 
	created DOUBLE NOT NULL, 
	closed DOUBLE, 
	expires DOUBLE NOT NULL, 
	CONSTRAINT uq_sessions_code UNIQUE (code), 
	CONSTRAINT fk_sessions_teacher_id FOREIGN KEY(teacher_id) REFERENCES teachers (id) ON DELETE CASCADE
);
INSERT INTO "sessions" VALUES(1,'6AYR3W',1,'Mardi, groupe A','{"locked": false, "revealed": false, "projector": false, "leading": false, "push": 1, "board": null, "expected": 30, "ended": {}}',1.79545775469321656223e+09,1.79545775472368144987e+09,1.80323375469321656224e+09);
CREATE TABLE teachers (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	name VARCHAR(80) NOT NULL, 
	key_hash VARCHAR(64) NOT NULL, 
	created DOUBLE NOT NULL, 
	revoked DOUBLE, 
	CONSTRAINT uq_teachers_key_hash UNIQUE (key_hash)
);
INSERT INTO "teachers" VALUES(1,'Mme Durand','7d833ff54f3dee2d46526f16048069026f0e778d88ae8023242bd256a241a131',1795456800.0,NULL);
CREATE INDEX ix_receipts_at ON receipts (at);
CREATE INDEX ix_attempts_learner_id_at ON attempts (learner_id, at);
CREATE INDEX ix_links_used ON links (used);
CREATE INDEX ix_authored_owner_hash ON authored (owner_hash);
CREATE INDEX ix_authored_changed ON authored (changed);
CREATE INDEX ix_sessions_teacher_id ON sessions (teacher_id);
CREATE INDEX ix_sessions_expires ON sessions (expires);
CREATE INDEX ix_pushes_session_id ON pushes (session_id);
CREATE INDEX ix_answers_participant_id ON answers (participant_id);
CREATE INDEX ix_learners_seen ON learners (seen);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('learners',1);
INSERT INTO "sqlite_sequence" VALUES('attempts',2);
INSERT INTO "sqlite_sequence" VALUES('teachers',1);
INSERT INTO "sqlite_sequence" VALUES('sessions',1);
INSERT INTO "sqlite_sequence" VALUES('participants',1);
INSERT INTO "sqlite_sequence" VALUES('pushes',1);
COMMIT;
