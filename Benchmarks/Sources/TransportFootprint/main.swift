import BodyFormats
import CurlTransport

struct Answer: Decodable { let name: String }

let dispatcher = CurlDispatcher()
// The harness reads the memory when the second request arrives.
for _ in 1...2 {
  let response = try await dispatcher.get(CommandLine.arguments[1])
  print(try await response.decoded(as: Answer.self).name)
}
