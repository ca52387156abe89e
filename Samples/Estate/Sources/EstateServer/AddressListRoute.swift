import Foundation
import HTTPServing
import HTTPTypes

/// `/v1/addresses`, the signed list of the server's addresses; the request needs no signature.
struct AddressListRoute {
  static let path = "/v1/addresses"
  /// Precedes the list in what is signed, so that no other signature by the key is one of a list.
  private static let purpose = "estate addresses 1\n"

  let key: DemoKey
  let addresses: ListeningAddresses
  let now: @Sendable () -> Date

  func add(to router: inout HTTPRouter<Answer>) {
    router.on(.get, Self.path) { [self] request in
      let all = addresses.all
      guard let first = all.first else { throw APIError.notFound(request) }
      let list = """
        issued \(Int(now().timeIntervalSince1970))
        api.estate.test \(all.joined(separator: " "))
        staging.estate.test \(all.joined(separator: " "))
        stranger.estate.test \(first)

        """
      return Answer(mediaType: "text/plain; charset=utf-8", bytes: signed(Array(list.utf8)))
    }
  }

  /// The list with the HMAC-SHA256 of it, in hexadecimal, on a line before.
  func signed(_ list: [UInt8]) -> [UInt8] {
    let code = MessageCode.bytes(of: Array(Self.purpose.utf8) + list, key: key.secret)
    return Array("\(Hexadecimal.text(code))\n".utf8) + list
  }
}
