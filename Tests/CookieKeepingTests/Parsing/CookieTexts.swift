import Interception

@testable import CookieKeeping

// Most cookies of the tests are texts.

extension SetCookieLine {
  init?(_ text: String) { self.init(FieldText(text.utf8)) }
}

extension CookieJar {
  mutating func store(
    _ line: String, from url: CookieURL, at now: WallTime, _ suffixes: PublicSuffixes
  ) -> Outcome {
    store(FieldText(line.utf8), from: url, at: now, suffixes)
  }
}
