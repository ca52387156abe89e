public import Account

extension EstateShell {
  /// What the tour answers when it is asked to log in: not the first time, and not when it is a guest again.
  public static var tourAnswers: [Credentials?] {
    [nil, Credentials(user: "demo", password: "open-house"), nil]
  }

  /// Walks through the app, and returns whether every step ended as it must.
  public func tour() async -> Bool {
    var surprises = 0
    for step in Tour().steps {
      let hitsBefore = tally.hits
      let result = await run(step.title, step.action)
      let hits = tally.hits - hitsBefore
      guard result == step.expected, hits >= step.hits else {
        surprises += 1
        say("  ✗ expected \(step.expected) with \(step.hits) from cache, got \(result) with \(hits)")
        continue
      }
    }
    say("")
    say(
      surprises == 0
        ? "Every step ended as it must; errors were planted, shown, and survived."
        : "\(surprises) steps ended otherwise than they must, see ✗ above.")
    return surprises == 0
  }
}
