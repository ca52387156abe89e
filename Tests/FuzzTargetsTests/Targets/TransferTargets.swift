import Cryptography
import HTTPTypes
import Interception

@testable import Downloads
@testable import Uploads

extension FuzzTarget {
  static let digestFields = FuzzTarget(
    name: "digest-fields", reads: "digests that a server states",
    seeds: texts(
      "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:, md5=:HUXZLQLMuI/KZ5KDcJPcOA==:;a=\"b\\\"\";c",
      "sha-512=:AA:;p=1, sha-256=:AA:", "sha-256=X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=,md5=x"),
    words: ["sha-256=", "sha-512=", "md5=", ":", "=", ",", ";", "\"", "\\", " ", "AAAA"]
  ) { bytes in
    let text = text(bytes)
    if let dictionary = DigestDictionary(text) {
      let written = dictionary.members.map { "\($0.key)=:\(Base64.encode($0.value)):" }.joined(separator: ",")
      try require(
        DigestDictionary(written), equals: dictionary, "A dictionary, written again, is the same dictionary.")
    }
    for digests in [DigestFields.digests(ofDictionary: text), DigestFields.digests(ofList: text)] {
      for digest in digests ?? [] {
        try require(
          FileDigest(digest.algorithm, stated: Base64.decode(Array(digest.base64.utf8)[...])), equals: digest,
          "A digest has the length of its algorithm.")
      }
    }
  }

  static let downloadRecord = FuzzTarget(
    name: "download-record", reads: "records of unfinished and complete downloads",
    seeds: texts(
      "switchyard-download 1\nidentity 7f\netag \"v1\"\ntotal 9\nend\n",
      "switchyard-download 2\nidentity 1\nmodified Sun, 06 Nov 1994 08:49:37 GMT\ntotal 9\n"
        + "owner \(String(repeating: "0f", count: 32))\ndigest sha-256 X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=\npart 0 4 2\npart 4 9 9\nend\n",
      "switchyard-download 1\nidentity 7f\netag \"v1\"\ntotal 9\nend\nfile 1 9 3 4\nend\n"),
    words: [
      "\n", "etag ", "modified ", "total unknown", "total ", "digest ", "owner ", "part ", "end\n", "\"", "-",
      "+",
    ]
  ) { bytes in
    if let record = DownloadRecord(bytes) {
      try require(DownloadRecord(record.bytes), equals: record, "A record is read as it was written.")
      if let parts = record.parts {
        try require(
          (0...(record.total ?? -1)).contains(parts.downloaded), "No part is longer than the file.",
          "\(parts.list)")
      }
    }
    if let version = DownloadedVersion(bytes) {
      try require(DownloadedVersion(version.bytes), equals: version, "A version is read as it was written.")
      try require(version.record.total, equals: version.stamp.size, "A complete file has its whole length.")
    }
  }

  static let uploadRecord = FuzzTarget(
    name: "upload-record", reads: "records of unfinished uploads",
    seeds: texts(
      "switchyard-upload 1\nidentity \(String(repeating: "0f", count: 32))\nfile 1 9 3 4\nexpires 1790000000\n"
        + "url https://upload.example/files/1?a=b\nend\n",
      "switchyard-upload 1\nidentity \(String(repeating: "é", count: 32))\nfile 1 9 3 4\nexpires never\n"
        + "url http://[::1]:80/\nend\n",
      "switchyard-upload 2\nidentity \(String(repeating: "0f", count: 32))\n"
        + "owner \(String(repeating: "0f", count: 32))\nfile 1 9 3 4\nexpires never\nurl http://[::1]:80/\nend\n"
    ),
    words: [
      "\n", "identity ", "owner ", "file ", "expires ", "never", "url ", "https://", "end\n", "-", "+", "#",
      "?",
    ]
  ) { bytes in
    guard let record = UploadRecord(bytes) else { return }
    try require(UploadRecord(record.bytes), equals: record, "A record is read as it was written.")
    var request = Request(
      method: .patch, authority: "other.example", path: "/", headerFields: [.authorization: "Bearer x"])
    record.target.apply(to: &request)
    try require(
      request.head.authority == "other.example" || request.head.headerFields[.authorization] == nil,
      "Another origin gets no credentials.", record.target.url)
  }

  static let uploadReply = FuzzTarget(
    name: "upload-reply", reads: "responses of a server of uploads",
    seeds: texts(
      "201\n5\n9\n?1;a=b\nmax-size=10, max-append-size=4;x=\",\", max-age=60\n/files/1\n#completed-upload",
      "204\n999999999999999999\n\n?0\nmin-append-size=x\n//other.example/é?q\nSun, 06 Nov 1994 08:49:37 GMT",
      "409\n-1\n+1\n1\nmax-age=999999999999999999\n../x#y\n#mismatching-upload-offset"),
    words: ["\n", "max-size=", "max-age=", "=", ",", ";", "\"", "\\", "?1", "://", "..", "#", "GMT"]
  ) { bytes in
    let lines = bytes.split(separator: 0x0A, maxSplits: 6, omittingEmptySubsequences: false).map { text($0) }
    guard lines.count == 7, let code = Int(lines[0]), (200...599).contains(code) else { return }
    let now = WallTime(secondsSince1970: 1_790_000_000)
    var head = HTTPResponse(status: .init(code: code))
    head.headerFields[upload: .offset] = lines[1]
    head.headerFields[upload: .length] = lines[2]
    head.headerFields[upload: .isComplete] = lines[3]
    head.headerFields[upload: .limit] = lines[4]
    head.headerFields[upload: .expires] = lines[6]
    head.headerFields[.location] = lines[5]
    head.headerFields[.date] = lines[6]
    for resumption in [UploadProtocol.tus(), .httpDraft] {
      let reply = UploadReply(head, problemText: lines[6], by: resumption, now: now)
      for number in [reply.offset, reply.length] {
        if case .value(let value) = number {
          try require(value >= 0, "A position is not negative.", "\(value)")
        }
      }
      let limits = [reply.limits.maximumSize, reply.limits.maximumAppend, reply.limits.maximumAge]
      try require(limits.allSatisfy { $0 ?? 0 >= 0 }, "A limit is not negative.", "\(limits)")
    }
    let base = "https://upload.example/files"
    if let target = try? UploadTarget(of: head, to: base) {
      try require(UploadTarget(target.url), equals: target, "The URL of an upload is read as it was written.")
      try require(target.scheme, equals: "https", "An upload does not leave https.")
    }
  }
}
