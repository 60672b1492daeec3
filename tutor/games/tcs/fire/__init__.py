"""Fire: area fire, point fire, cross fire, AT rolls and Overwatch, and who places the losses."""
