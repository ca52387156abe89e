import Mediation

print("linked with Mediation")
