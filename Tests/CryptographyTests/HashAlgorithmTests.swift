import Testing

@testable import Cryptography

@Suite struct HashAlgorithmTests {
  // The test suite of RFC 1321, appendix A.5, and the examples of FIPS 180-4 for the others.
  @Test(
    "Known messages have the published hashes",
    arguments: [
      (HashAlgorithm.md5, "", "d41d8cd98f00b204e9800998ecf8427e"),
      (.md5, "a", "0cc175b9c0f1b6a831c399e269772661"),
      (.md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
      (.md5, "message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
      (.md5, "abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
      (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        .sha512, "abc",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
          + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
      ),
      (.sha512By256, "", "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a"),
      (.sha512By256, "abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
      (
        .sha512By256,
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "3928e184fb8690f840da3988121d31be65cb9d3ef83ee6146feac861e19b563a"
      ),
    ])
  func known(_ algorithm: HashAlgorithm, _ message: String, _ hash: String) throws {
    #expect(hash.utf8.count == 2 * algorithm.size)
    guard algorithm.isAvailable else {
      let error = #expect(throws: CryptographyError.self) { try algorithm.hash(of: Array(message.utf8)) }
      #expect(error?.reason == .unsupported && error?.operation == "SHA-512/256")
      return
    }
    #expect(Hexadecimal.encode(try algorithm.hash(of: Array(message.utf8))) == hash)
  }

  @Test("SHA-256 equals the one of signing and caching, for every length around a block")
  func sameSHA256() throws {
    for count in 0...130 {
      let bytes = (0..<count).map { UInt8($0) }
      #expect(try HashAlgorithm.sha256.hash(of: bytes) == Digest.sha256(bytes))
    }
  }

  @Test("The error names the algorithm and the remedy")
  func failure() {
    let error = CryptographyError(operation: HashAlgorithm.md5.rawValue)
    #expect("\(error)".contains("MD5") && "\(error)".contains(Backend.remedy))
  }
}
