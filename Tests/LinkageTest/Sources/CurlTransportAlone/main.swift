import CurlTransport

print("linked with CurlTransport")
