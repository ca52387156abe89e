import BodyFormats
import CurlTransport

struct Release: Decodable { let name: String }
do {
  let response = try await CurlDispatcher().get("https://www.swift.org/api/v1/install/releases.json")
  print(try await response.decoded(as: [Release].self).map(\.name))
} catch {
  print(error)
}
