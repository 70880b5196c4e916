"""Shared by the styles: goals and plans, ways and prices, paying, drawing, claiming, tickets."""
