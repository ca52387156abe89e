import Foundation
import Testing

@testable import EstateNetwork
@testable import EstateServer

@Suite("The key of the list of addresses")
struct AddressListKeyTests {
  private let list = Array("issued 1800000000\napi.estate.test 127.0.0.1:8443\n".utf8)
  private let secret = [UInt8](repeating: 7, count: 32)

  private func signed() throws -> [UInt8] {
    let key = try DemoKey(id: "demo", secretHex: String(repeating: "07", count: 32))
    return AddressListRoute(key: key, addresses: ListeningAddresses(), now: { Date() }).signed(list)
  }

  @Test("A list that the server has signed is accepted")
  func valid() throws {
    #expect(try AddressListKey(secret: secret).content(of: signed()) == list)
  }

  @Test("A list that was changed, cut off or signed with another key is refused")
  func invalid() throws {
    let key = AddressListKey(secret: secret)
    let signed = try signed()
    for index in signed.indices {
      var changed = signed
      changed[index] ^= 1
      #expect(throws: AddressListKey.Fault.self) { try key.content(of: changed) }
    }
    #expect(throws: AddressListKey.Fault.wrongSignature) { try key.content(of: Array(signed.dropLast())) }
    #expect(throws: AddressListKey.Fault.unsigned) { try key.content(of: []) }
    #expect(throws: AddressListKey.Fault.wrongSignature) { try key.content(of: [10] + list) }
    let other = AddressListKey(secret: [UInt8](repeating: 8, count: 32))
    #expect(throws: AddressListKey.Fault.wrongSignature) { try other.content(of: signed) }
  }
}
