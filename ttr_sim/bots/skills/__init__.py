"""What bots share: finding ways, pricing routes, paying, choosing cards and tickets."""
