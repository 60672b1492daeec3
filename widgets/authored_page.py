"""Where notebooks downloaded from the editor before December 2026 look for their player: they go on opening."""

from widgets.pages.teacher_lesson import carried as carried
