import Interception
import Testing

@testable import Deployment

@Suite("A deployment verifier")
struct DeploymentVerifierTests {
  /// Returns a document as text, without its first three lines.
  private static func body(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .dropFirst(3).joined(separator: "\n")
  }

  @Test("A signed document is verified, and has its version, parts, key and bytes")
  func valid() throws {
    var draft = Documents.draft(parts: ["flags": "{}", "a/b:1": "x\ny\n", "empty": ""])
    draft.minimumAppVersion = "3.2"
    draft.revokedKeys = ["2025", "2019"]
    let bytes = try Documents.signed(draft)
    let document = try Documents.verifier().verify(bytes, now: Documents.now)
    #expect(document.version == 12 && document.key == "2026" && document.bytes == bytes)
    #expect(document.partNames == ["a/b:1", "empty", "flags"])
    #expect(document.content(of: "a/b:1") == Array("x\ny\n".utf8) && document.content(of: "empty") == [])
    #expect(document.content(of: "b") == nil && document.revokedKeys == ["2019", "2025"])
  }

  @Test("A document is the text of its lines, in one form")
  func form() throws {
    var draft = Documents.draft(parts: ["routes": "{}", "flags": "{\n}"])
    draft.minimumAppVersion = "3.2"
    draft.permille = 100
    draft.shareSeed = "express"
    draft.revokedKeys = ["2025"]
    let bytes = try Documents.signed(draft)
    let lines = String(decoding: bytes, as: UTF8.self)
    #expect(lines.hasPrefix("switchyard deployment 1\nkey 2026\nsignature "))
    #expect(
      Self.body(bytes) == """
        version 12
        valid 1780268400 1782864000
        app 3.2
        share 100 express
        revoke 2025
        part flags 3
        {
        }
        part routes 2
        {}

        """)
    // CryptoKit's signatures differ each time.
    #expect(Self.body(try Documents.signed(draft)) == Self.body(bytes))
    #expect(try DeploymentDraft(unverified: bytes).bytes() == draft.bytes())
  }

  @Test("Changing, removing or appending any byte of a document makes it invalid")
  func everyByte() throws {
    let bytes = try Documents.signed(parts: ["flags": "{\"a\": true}"])
    let verifier = try Documents.verifier()
    func accepts(_ bytes: [UInt8]) -> Bool { (try? verifier.verify(bytes, now: Documents.now)) != nil }
    #expect(accepts(bytes) && !accepts(bytes + [0x0A]) && !accepts([0x0A] + bytes))
    for place in bytes.indices {
      for byte in [bytes[place] ^ 1, bytes[place] ^ 0x20, 0x0A, 0x00] where byte != bytes[place] {
        var changed = bytes
        changed[place] = byte
        #expect(!accepts(changed), "byte \(place)")
      }
      #expect(!accepts(Array(bytes[..<place])), "\(place) bytes")
      var shorter = bytes
      shorter.remove(at: place)
      #expect(!accepts(shorter), "without byte \(place)")
    }
  }

  /// Signed lines that no draft would write, and a part of the error.
  static let malformed: [(body: String, error: String)] = [
    ("", "\"version\""), ("version 0\nvalid 1 2\n", "\"version\""),
    ("version -1\nvalid 1 2\n", "\"version\""),
    ("version 18446744073709551616\nvalid 1 2\n", "\"version\""), ("version 1\n", "\"valid\""),
    ("version 1\nvalid 2 1\n", "should begin before it ends"),
    ("version 1\nvalid 1 1\n", "should begin before it ends"),
    ("version 1\nvalid -1 1\n", "should begin before it ends"),
    ("version 1\nvalid 1 99999999999999999999\n", "\"valid\""),
    ("version 01\nvalid 1 2\n", "not written as they should be"),
    ("version +1\nvalid 1 2\n", "not written as they should be"),
    ("version 1\nvalid 1  2\n", "\"valid\""), ("version 1\r\nvalid 1 2\n", "\"version\""),
    ("version 1\nvalid 1 2\napp 3.2b\n", "can't be a version"),
    ("version 1\nvalid 1 2\napp 3\napp 4\n", "\"part\""),
    ("version 1\nvalid 1 2\nshare 0 a\n", "1 to 1,000"),
    ("version 1\nvalid 1 2\nshare 1001 a\n", "1 to 1,000"),
    ("version 1\nvalid 1 2\nshare 1000 a\n", "not written as they should be"),
    ("version 1\nvalid 1 2\nshare x a\n", "no number"),
    ("version 1\nvalid 1 2\nshare 10 é\n", "can't be the name"),
    ("version 1\nvalid 1 2\nrevoke b\nrevoke a\n", "not written as they should be"),
    ("version 1\nvalid 1 2\nrevoke a\nrevoke a\n", "not written as they should be"),
    ("version 1\nvalid 1 2\nrevoke a b\n", "\"part\""), ("version 1\nvalid 1 2\n\n", "\"part\""),
    ("version 1\nvalid 1 2\npart a 1\nx\npart a 1\nx\n", "twice"),
    ("version 1\nvalid 1 2\npart b 1\nx\npart a 1\nx\n", "not written as they should be"),
    ("version 1\nvalid 1 2\npart a 2\nx\n", "length"), ("version 1\nvalid 1 2\npart a -1\nx\n", "length"),
    ("version 1\nvalid 1 2\npart a 9223372036854775807\nx\n", "length"),
    ("version 1\nvalid 1 2\npart a 0\nx\n", "length"), ("version 1\nvalid 1 2\npart a 1\nxy\n", "length"),
    ("version 1\nvalid 1 2\npart A 1\nx\n", "can't be the name"),
    ("version 1\nvalid 1 2\npart ../é 1\nx\n", "can't be the name"),
    (
      "version 1\nvalid 1 2\n" + (0...64).map { "part p\($0) 0\n\n" }.joined(), "one too many"
    ),
    ("version 1\nvalid 1 2\n" + (100...164).map { "revoke \($0)\n" }.joined(), "as many revoked keys"),
  ]

  @Test("Lines that no draft would write are refused, also with a valid signature", arguments: malformed)
  func refusedLines(_ body: String, _ error: String) throws {
    let bytes = try Documents.signed(body: body)
    let refusal = Documents.refusal {
      _ = try Documents.verifier().verify(bytes, now: WallTime(secondsSince1970: 1))
    }
    #expect(refusal?.contains(error) == true, "\(refusal ?? "accepted")")
  }

  @Test("An error of the lines names the version and the line")
  func place() throws {
    let bytes = try Documents.signed(body: "version 7\nvalid 1 2\npart a 3\nx\ny\nport b 1\n")
    let verifier = try Documents.verifier()
    do throws(DeploymentError) {
      _ = try verifier.verify(bytes, now: Documents.now)
      Issue.record("accepted")
    } catch {
      // Three lines of the signature, two of the head, three of the part.
      #expect(error.version == 7 && error.line == 9 && error.part == nil)
      #expect("\(error)".hasPrefix("Deployment document 7, line 9: it should be a line \"part\""))
    }
  }

  @Test("Bytes that are not a document are refused by their first lines, without a signature")
  func strangers() throws {
    let documents = [
      ("", "first line"), ("<html>", "first line"), ("switchyard deployment 2\n", "first line"),
      ("switchyard page package 1\n", "first line"), ("switchyard deployment 1\n", "\"key\""),
      ("switchyard deployment 1\nkey 2026\n", "\"signature\""),
      ("switchyard deployment 1\nkey 2026\nsignature a\n", "\"signature\""),
      ("switchyard deployment 1\nkey 2026\nsignature AA==\n", "not valid for the key"),
      ("switchyard deployment 1\nkey 2027\nsignature AA==\n", "does not trust a key \"2027\""),
      (String(repeating: "x", count: 100_000), "first line"),
    ]
    for (text, error) in documents {
      let refusal = Documents.refusal {
        _ = try Documents.verifier().verify(Array(text.utf8), now: Documents.now)
      }
      #expect(refusal?.contains(error) == true, "\(refusal ?? "accepted")")
    }
    let long = [UInt8](repeating: 0x20, count: (16 << 20) + 1)
    let refusal = Documents.refusal { _ = try Documents.verifier().verify(long, now: Documents.now) }
    #expect(refusal?.contains("more than 16777216 bytes") == true)
  }

  @Test("A signature of another key, or under the name of another key, is refused")
  func forged() throws {
    let draft = Documents.draft()
    for (name, key) in [("2026", "2025"), ("2025", "2026")] {
      let bytes = try draft.signed(by: name, privateKeyPEM: try #require(Documents.privateKeys[key]))
      let refusal = Documents.refusal { _ = try Documents.verifier().verify(bytes, now: Documents.now) }
      #expect(refusal?.contains("not valid for the key \"\(name)\"") == true)
    }
    // The name of the key is signed: another name with the right key is no valid document either.
    var text = String(decoding: try Documents.signed(draft), as: UTF8.self)
    text.replace("key 2026", with: "key 2025")
    #expect(throws: DeploymentError.self) {
      try Documents.verifier().verify(Array(text.utf8), now: Documents.now)
    }
  }

  @Test(
    "A document is accepted from its first to its last second, and with a clock a year off it is not",
    arguments: [
      (-3_601, "is valid from"), (-3_600, nil), (0, nil), (30 * 86_400, nil),
      (30 * 86_400 + 1, "was valid until"),
      (-365 * 86_400, "is valid from"), (365 * 86_400, "was valid until"),
    ] as [(Int64, String?)])
  func period(_ offset: Int64, _ error: String?) throws {
    let bytes = try Documents.signed()
    let now = Documents.now.advanced(by: .seconds(offset))
    let refusal = Documents.refusal { _ = try Documents.verifier().verify(bytes, now: now) }
    if let error {
      #expect(refusal?.contains(error) == true && refusal?.contains("clock is at \(now.seconds)") == true)
    } else {
      #expect(refusal == nil)
    }
    // One that was accepted stays valid, whatever the clock says.
    #expect(try Documents.verifier().restore(bytes, after: DeploymentRecord()).version == 12)
  }

  @Test(
    "An app that is older than a document allows refuses it",
    arguments: [
      ("3.2", "3.2.1", true), ("3.2.1", "3.2.1", true), ("3.2.1.0", "3.2.1", true), ("3.2.2", "3.2.1", false),
      ("3.10", "3.9", false), ("4", "3.99.99", false), ("3", "3", true), ("0.0.1", "0", false),
    ])
  func appVersion(_ minimum: String, _ version: String, _ isAccepted: Bool) throws {
    var draft = Documents.draft()
    draft.minimumAppVersion = minimum
    let bytes = try Documents.signed(draft)
    let verifier = try Documents.verifier(appVersion: version)
    let refusal = Documents.refusal { _ = try verifier.verify(bytes, now: Documents.now) }
    #expect((refusal == nil) == isAccepted)
    #expect(
      refusal.map { $0.contains("needs version \(minimum)") && $0.contains("has version \(version)") }
        != false)
    #expect(
      (Documents.refusal { _ = try verifier.restore(bytes, after: DeploymentRecord()) } == nil) == isAccepted)
  }

  @Test("A share selects the same installations each time, a greater share contains them, and seeds differ")
  func share() throws {
    let verifiers = try (0..<2_000).map { number in
      try Documents.verifier(trusting: ["2026"], installation: "installation \(number)")
    }
    func draft(_ permille: Int, _ seed: String) -> DeploymentDraft {
      var draft = Documents.draft()
      (draft.permille, draft.shareSeed) = (permille, seed)
      return draft
    }
    func selected(_ permille: Int, _ seed: String) throws -> Set<Int> {
      Set(try verifiers.indices.filter { try verifiers[$0].isInShare(draft(permille, seed)) })
    }
    let tenth = try selected(100, "express")
    #expect((140...260).contains(tenth.count))
    #expect(try selected(100, "express") == tenth)
    #expect(try selected(500, "express").isSuperset(of: tenth))
    let others = try selected(100, "map")
    #expect((140...260).contains(others.count) && others.intersection(tenth).count < 60)
    #expect(try selected(1_000, "express").count == 2_000)
    // What is selected is what is accepted, by fewer, because a signature takes a hundred times as long.
    let bytes = try Documents.signed(draft(100, "express"))
    let accepted = verifiers.indices.prefix(100).filter { index in
      Documents.refusal { _ = try verifiers[index].verify(bytes, now: Documents.now) } == nil
    }
    #expect(!accepted.isEmpty && accepted == tenth.filter { $0 < 100 }.sorted())
  }

  @Test("An installation outside the share refuses the document, and the error names the share")
  func outside() throws {
    var draft = Documents.draft()
    draft.permille = 1
    let bytes = try Documents.signed(draft)
    let refusal = Documents.refusal { _ = try Documents.verifier().verify(bytes, now: Documents.now) }
    #expect(refusal?.contains("1 of 1,000 installations") == true)
  }

  @Test(
    "Arguments that can't be used are refused with the remedy",
    arguments: [
      ([], "3", "a", "at least one key"), (["2026", "2026"], "3", "a", "the name \"2026\""),
      (["x y"], "3", "a", "can't be the name of a key"), (["2019"], "3", "a", "not an Ed25519 key"),
      (["2026"], "", "a", "can't be a version"), (["2026"], "3.2-beta", "a", "can't be a version"),
      (["2026"], "1.2.3.4.5", "a", "can't be a version"), (["2026"], "1..2", "a", "can't be a version"),
      (["2026"], "99999999999", "a", "can't be a version"), (["2026"], "3", "", "random text of its own"),
    ])
  func arguments(_ keys: [String], _ version: String, _ installation: String, _ error: String) {
    let refusal = Documents.refusal {
      _ = try Documents.verifier(trusting: keys, appVersion: version, installation: installation)
    }
    #expect(refusal?.contains(error) == true, "\(refusal ?? "accepted")")
  }

  @Test("No error of a draft contains the private key")
  func secrecy() throws {
    let secret = try #require(Documents.privateKeys["2026"]).split(separator: "\n")[1]
    let broken = "-----BEGIN PRIVATE KEY-----\n\(secret.dropLast(4))\n-----END PRIVATE KEY-----"
    for text in ["", broken, String(secret), try #require(Documents.publicKeys["2026"])] {
      let refusal = Documents.refusal {
        _ = try Documents.draft().signed(by: "2026", privateKeyPEM: text)
      }
      #expect(refusal?.contains("not an Ed25519 key") == true)
      #expect(refusal?.contains(secret.prefix(20)) == false)
    }
  }
}
