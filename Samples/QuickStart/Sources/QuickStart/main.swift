import Switchyard

struct Release: Decodable { let name: String }
let pipeline = try Pipeline.standard(over: CurlDispatcher())
let response = try await pipeline.get("https://www.swift.org/api/v1/install/releases.json")
print(try await response.decoded(as: [Release].self).map(\.name))
