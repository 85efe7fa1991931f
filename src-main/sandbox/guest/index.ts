export default function startGuest(): void {}
