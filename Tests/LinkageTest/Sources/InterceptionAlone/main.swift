import Interception

print("linked with Interception")
