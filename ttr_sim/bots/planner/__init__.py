"""What the styles share: goals and plans, ways and prices, paying, drawing, claiming, tickets."""
