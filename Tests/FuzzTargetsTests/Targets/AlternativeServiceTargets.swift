import Interception

@testable import CurlTransport

extension FuzzTarget {
  static let alternativeServices = FuzzTarget(
    name: "alternative-services", reads: "the field Alt-Svc, and the file in which alternatives are kept",
    seeds: texts(
      "h3=\":443\"; ma=3600; persist=1, h3-29=\"alt.example:8443\", h2=\":443\"", "clear", ", h3=\":1\" ,",
      "h%33=\"[::1]:443\";ma=99999999999999999999; x=\"a\\\"b\"",
      "switchyard alternatives 1\na.example 443 - 443 1790000600\nend 1\n",
      "switchyard alternatives 1\na.example 443 00112233445566778899aabbccddeeff 8443 1790000001\nend 1\n"),
    words: ["h3", "=", "\":443\"", ";", ",", "ma=", "persist=1", "clear", "%33", "\n", " - ", "end 1\n"]
  ) { bytes in
    let text = text(bytes)
    if let field = AlternativeServiceField(text) {
      try require(
        field.alternatives.count <= AlternativeServiceField.maximumCount, "Few alternatives are read.")
      for each in field.alternatives {
        try require((1...65_535).contains(each.port), "A port is one of TCP and UDP.", "\(each)")
        try require(each.maximumAge >= 0, "An age is not negative.", "\(each)")
        try require(
          each.host.isEmpty || AuthoritySyntax.isHost(each.host), "A host is one of a URL.", "\(each)")
      }
      // What `clear` ends can't be listed with it.
      if !field.alternatives.isEmpty {
        try require(
          AlternativeServiceField(", \(text),"), equals: field, "Empty members of the list change nothing.")
      }
    }
    let now = WallTime(secondsSince1970: 1_790_000_000)
    guard let kept = StoredAlternatives(bytes, at: now) else { return }
    try require(kept.services.count <= bytes.count / 8, "Each alternative has a line of its own.")
    try require(
      kept.services.values.allSatisfy { $0.expiry > now.seconds }, "What has expired is not kept.", "\(kept)")
    try require(
      StoredAlternatives(kept.encoded, at: now), equals: kept, "What is read is written and read again.")
  }
}
