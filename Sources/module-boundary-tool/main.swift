print("usage: module-boundary-tool")
