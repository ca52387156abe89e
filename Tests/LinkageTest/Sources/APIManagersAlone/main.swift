import APIManagers

print("linked with APIManagers")
