import AsyncHTTPClient
import Foundation
import NIOCore

struct Answer: Decodable { let name: String }

// The harness reads the memory when the second request arrives.
for _ in 1...2 {
  let request = HTTPClientRequest(url: CommandLine.arguments[1])
  let response = try await HTTPClient.shared.execute(request, timeout: .seconds(20))
  let body = try await response.body.collect(upTo: 1 << 20)
  print(try JSONDecoder().decode(Answer.self, from: Data(body.readableBytesView)).name)
}
