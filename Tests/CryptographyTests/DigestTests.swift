import Testing

@testable import Cryptography

@Suite struct DigestTests {
  // The examples of FIPS 180-4, and the empty message.
  @Test(
    "Known messages have the published SHA-256",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func known(_ message: String, _ hash: String) throws {
    #expect(Hexadecimal.encode(try Digest.sha256(Array(message.utf8))) == hash)
    let value = try HashValue(sha256: Array(message.utf8))
    #expect(value.description == hash)
    for prefix in ["v", "v2.", "sha-256="] {
      #expect(Hexadecimal.encode(value, after: prefix) == prefix + hash)
    }
  }

  @Test("The constant for empty input equals the computed hash")
  func emptyInput() throws {
    let computed = try Digest().finish()
    #expect(computed == Digest.ofNothing)
  }

  @Test("Input in two parts hashes like the whole, wherever it is split")
  func incremental() throws {
    let bytes = (0..<200).map { UInt8($0) }
    let whole = try Digest.sha256(bytes)
    for cut in 0...bytes.count {
      var digest = try Digest()
      try digest.update(Array(bytes[..<cut]))
      try digest.update(Array(bytes[cut...]))
      let hash = try digest.finish()
      #expect(hash == whole, "split at \(cut)")
    }
  }
}
